"""Addresses in two forms (seed 003, 1.1.4.3): ``canonical`` for requests, ``page_key`` for identity.

::

    text --_read--> parts --canonical--> address to request     safe rules: same resource for every server
                      '----page_key----> key of the page        aggressive rules: same article in practice

The paper's list of safe rules is followed but for three points, where a request and a key need different things:

* *Trailing slash*: the paper drops it. A server may answer ``/foo`` with 404 or a redirect where ``/foo/`` is the
  page, so the request keeps it and only the key drops it.
* *IDN to Unicode*: names go over the wire in ASCII (RFC 5891), so requests have ``xn--``; the key has Unicode.
* *Fragments* are dropped, except those that begin with ``!`` or ``/``: these are the address of the page in
  single-page applications (``#!/news/17``), and dropping them would make all their articles one.

Tracking parameters and session ids (:mod:`newsmon.urlparams`) are dropped from both forms.

Two pages that are merged wrongly lose an article, two that are not merged are still caught by ``rel=canonical`` after
the fetch. So every rule of the key that guesses is strict (:mod:`newsmon.urlpaths`), and a rule file says the rest.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple
from unicodedata import normalize
from urllib.parse import quote, unquote, urljoin

from newsmon.errors import UrlError
from newsmon.hosts import normal_host, unicode_host
from newsmon.patterns import substitute
from newsmon.urlparams import is_noise, is_presentation
from newsmon.urlpaths import page_segments

MAX_LENGTH = 8192  # characters, also after percent-encoding
DEFAULT_PORTS = {"http": 80, "https": 443}

_EDGES = "".join(map(chr, range(33))) + "\xa0\u200b\u2060\ufeff"
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_URL = re.compile(r"(https?)://([^/?#]*)([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.I | re.S).fullmatch
_AUTHORITY = re.compile(r"(\[[^\]]*\]|[^:\[\]]+)(?::([0-9]{0,7}))?").fullmatch
_BEFORE_QUERY = re.compile(r"[^?#]*")

_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_IN_PATH = r"A-Za-z0-9\-._~!$&'()*+,;=:@/"
_IN_QUERY = _IN_PATH.replace("'", "?")  # the URL standard encodes the apostrophe in queries
_CLEAN_PATH = re.compile(f"[{_IN_PATH}]*").fullmatch
_CLEAN_QUERY = re.compile(f"[{_IN_QUERY}]*").fullmatch
_TO_QUOTE_IN_PATH = re.compile(rf"%([0-9A-Fa-f]{{2}})|%|[^{_IN_PATH}%]+")
_TO_QUOTE_IN_QUERY = re.compile(rf"%([0-9A-Fa-f]{{2}})|%|[^{_IN_QUERY}%]+")

_SESSION_IN_PATH = re.compile(r";(?:jsessionid|phpsessid|cfid|cftoken)=[^/;]*|/\(s\([a-z0-9]{24}\)\)(?=/)", re.I)
_ESCAPED_AMPERSAND = re.compile(r"(^|&)(?:amp;)+")  # a feed escaped its links once too often


@dataclass(frozen=True)
class UrlRules:
    """What a site's rule file says about its addresses.

    :param drop: further parameters to drop, in lower case; ``name*`` drops all that begin so, ``*`` all.
    :param keep: parameters that matter although they are dropped elsewhere.
    :param same: (pattern, replacement) pairs for :func:`newsmon.patterns.substitute`, applied to the page key in turn.
        With them the site speaks for itself: the general rule for titles beside article ids is off.
    """

    drop: frozenset[str] = frozenset()
    keep: frozenset[str] = frozenset()
    same: tuple[tuple[str, str], ...] = ()

    def drops(self, name: str, value: str) -> bool:
        """Say whether a parameter leaves the address; ``name`` in lower case."""
        if name in self.keep:
            return False
        return name in self.drop or name.startswith(self._dropped_prefixes) or is_noise(name, value)

    @property
    def _dropped_prefixes(self) -> tuple[str, ...]:
        return tuple(name[:-1] for name in self.drop if name.endswith("*"))


_NO_RULES = UrlRules()


class Origin(NamedTuple):
    """Scheme, host and port of an address: the scope of one robots.txt. The host is ASCII, IPv6 in brackets."""

    scheme: str
    host: str
    port: int

    def __str__(self) -> str:
        port = "" if self.port == DEFAULT_PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{self.host}{port}"


class _Parts(NamedTuple):
    """A readable address; ``port`` and ``fragment`` come with their mark (``:8080``, ``#!/a``) or are empty."""

    scheme: str
    host: str
    port: str
    path: str
    query: str
    fragment: str


def canonical(url: str, *, base: str | None = None, rules: UrlRules | None = None) -> str:
    """Return the address to request: the safe rules, without tracking parameters and session ids.

    Scheme and host in lower case, host in ASCII, dot segments resolved, default port and fragment dropped,
    percent-encoding in the normal form of RFC 3986 6.2.2; the order of parameters and the final slash stay.

    :param base: address of the page or feed that holds ``url``, for relative addresses.
    :raises UrlError: not http(s), a user name, control characters, no host, longer than :data:`MAX_LENGTH`.

    >>> canonical("HTTP://www.Example.com:80/a/../b/?utm_source=rss&id=5#top")
    'http://www.example.com/b/?id=5'
    >>> canonical("news/1.html", base="https://пример.рф/feed")
    'https://xn--e1afmkfd.xn--p1ai/news/1.html'
    """
    parts = _read(url, base, rules or _NO_RULES)
    query = f"?{parts.query}" if parts.query else ""
    return f"{parts.scheme}://{parts.host}{parts.port}{parts.path}{query}{parts.fragment}"


def page_key(url: str, *, rules: UrlRules | None = None) -> str:
    """Return the identity of the page behind an address; it is a key, never requested.

    On top of :func:`canonical`: no scheme, no ``www.`` or mobile host, IDN and percent-encoding as Unicode, no index
    file, doubled or final slash, everything in lower case (except identifiers like ``dQw4w9WgXcQ``), parameters
    sorted, AMP, AMP-cache and print variants made one, no ``.html``, no title beside an article id.

    :raises UrlError: as :func:`canonical`.

    >>> page_key("https://m.Example.com/News//2024/index.html?b=2&a=1&fbclid=x")
    'example.com/news/2024?a=1&b=2'
    >>> page_key("https://www.google.com/amp/s/example.com/news/17/amp/")
    'example.com/news/17'
    """
    rules = rules or _NO_RULES
    parts = _unwrapped(_read(url, None, rules), rules)
    segments = page_segments(_folded(_readable(parts.path)), fold_titles=not rules.same)
    query = _key_query(parts.query, rules)
    host = _HOST_VARIANT.sub("", unicode_host(parts.host))
    key = "/".join([host + parts.port, *segments]) + (f"?{query}" if query else "") + _folded(_readable(parts.fragment))
    for pattern, replacement in rules.same:
        key = substitute(pattern, replacement, key)
    return key


def host_of(url: str) -> str:
    """Return the host of an address: lower-case ASCII, no port, no brackets.

    :raises UrlError: as :func:`canonical`.

    >>> host_of("https://Пример.рф:8080/a")
    'xn--e1afmkfd.xn--p1ai'
    """
    return origin_of(url).host.strip("[]")


def origin_of(url: str) -> Origin:
    """Return the origin of an address.

    :raises UrlError: as :func:`canonical`.

    >>> str(origin_of("HTTPS://Example.com:443/a?b")), origin_of("http://[::1]:81").port
    ('https://example.com', 81)
    """
    parts = _read(url, None, _NO_RULES)
    return Origin(parts.scheme, parts.host, int(parts.port[1:] or DEFAULT_PORTS[parts.scheme]))


# --- reading ---------------------------------------------------------------------------------------------------------


def _read(url: str, base: str | None, rules: UrlRules) -> _Parts:
    text = _resolved(url, base)
    match = _URL(text)
    if match is None:
        raise UrlError("is not an http or https address with a host", url=text[:200])
    scheme, authority, path, query, fragment = match.groups(default="")
    scheme = scheme.lower()
    host, port = _host_and_port(scheme, authority, text)
    parts = _Parts(scheme, host, port, _path(path), _query(query, rules), _kept_fragment(fragment))
    if sum(map(len, parts)) > MAX_LENGTH - len("://?"):
        raise UrlError(f"is longer than {MAX_LENGTH} characters", url=text[:200])
    return parts


def _resolved(url: str, base: str | None) -> str:
    """The address as one absolute line; a backslash is a slash, as in every browser."""
    text = url.strip(_EDGES)
    if len(text) > MAX_LENGTH:
        raise UrlError(f"is longer than {MAX_LENGTH} characters", url=text[:200])
    if _CONTROL.search(text):
        raise UrlError("holds a control character", url=ascii(text[:200]))
    if "\\" in text:
        text = _BEFORE_QUERY.sub(lambda match: match[0].replace("\\", "/"), text, count=1)
    if base is None or _URL(text):
        return text
    try:
        return urljoin(base, text)
    except ValueError as error:
        raise UrlError(f"cannot be resolved: {error}", url=text[:200]) from error


def _host_and_port(scheme: str, authority: str, text: str) -> tuple[str, str]:
    if "@" in authority:
        raise UrlError("holds a user name", url=text[:200])
    match = _AUTHORITY(authority)
    if match is None:
        raise UrlError("has no readable host", url=text[:200])
    port = int(match[2] or DEFAULT_PORTS[scheme])
    if port > 65535:
        raise UrlError(f"has the port {port}", url=text[:200])
    return normal_host(match[1]), "" if port == DEFAULT_PORTS[scheme] else f":{port}"


def _path(path: str) -> str:
    if not _CLEAN_PATH(path):
        path = _TO_QUOTE_IN_PATH.sub(_normal_escape, path)
    if ";" in path or "(" in path:
        path = _SESSION_IN_PATH.sub("", path)
    return _without_dots(path) if "/." in path else path or "/"


def _query(query: str, rules: UrlRules) -> str:
    if not query:
        return ""
    if not _CLEAN_QUERY(query):
        query = _TO_QUOTE_IN_QUERY.sub(_normal_escape, query)
    if "amp;" in query:
        query = _ESCAPED_AMPERSAND.sub(r"\1", query)
    return "&".join(part for part in query.split("&") if part and not rules.drops(*_name_and_value(part)))


def _name_and_value(parameter: str) -> tuple[str, str]:
    name, _, value = parameter.partition("=")
    return name.lower(), value


def _kept_fragment(fragment: str) -> str:
    return "#" + _TO_QUOTE_IN_QUERY.sub(_normal_escape, fragment) if fragment.startswith(("!", "/")) else ""


def _normal_escape(match: re.Match[str]) -> str:
    """Percent-encoding normal form: escapes in upper case, none for unreserved characters, a lone percent escaped."""
    if match[1] is None:
        return quote(match[0], safe="")
    character = chr(int(match[1], 16))
    return character if character in _UNRESERVED else match[0].upper()


def _without_dots(path: str) -> str:
    """Resolve dot segments (RFC 3986 5.2.4)."""
    kept: list[str] = []
    segments = path.split("/")[1:]
    for segment in segments:
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in (".", ".."):
        kept.append("")
    return "/" + "/".join(kept)


# --- the key ---------------------------------------------------------------------------------------------------------

_HOST_VARIANT = re.compile(r"^(?:(?:w{2,3}\d?|m|mobile|touch|wap|pda|amp)\.)+(?=[^.]+\.[^.])")
_AMP_CACHE = re.compile(r"(?:.+\.)?cdn\.ampproject\.org|.+\.bing-amp\.com").fullmatch
_AMP_CACHE_PATH = re.compile(r"/(?:wp/)?[a-z]/(s/)?(.+)").fullmatch
_AMP_VIEWER = re.compile(r"(?:www\.)?google\.[a-z.]{2,6}").fullmatch
_AMP_VIEWER_PATH = re.compile(r"/amp/(s/)?(.+)").fullmatch

_ESCAPES = re.compile(r"(?:%[89A-F][0-9A-F])+|%(?:2[124789AC]|3[AB]|40)")
_TOKEN = re.compile(r"[^\W_]+")
_IDENTIFIER = re.compile(r"[^\W_]*\d[^\W\d_]").match  # a digit before a letter: not a word, not a numbered file


def _unwrapped(parts: _Parts, rules: UrlRules) -> _Parts:
    """The publisher's address inside that of an AMP cache or viewer, or of a viewer inside a cache."""
    for _ in range(2):
        match = _wrapped_path(parts)
        if match is None or "." not in match[2].partition("/")[0]:
            break
        try:
            parts = _read(f"http{'s' if match[1] else ''}://{match[2]}?{parts.query}", None, rules)
        except UrlError:
            break  # what stands there is no address: the page is the viewer's own
    return parts


def _wrapped_path(parts: _Parts) -> re.Match[str] | None:
    if _AMP_CACHE(parts.host):
        return _AMP_CACHE_PATH(parts.path)
    if "google." in parts.host and _AMP_VIEWER(parts.host):
        return _AMP_VIEWER_PATH(parts.path)
    return None


def _key_query(query: str, rules: UrlRules) -> str:
    if not query:
        return ""
    wanted = (part for part in query.split("&") if not _is_view(part, rules))
    parameters = {_folded(_readable(part).replace("%20", "+")).removesuffix("=") for part in wanted}
    return "&".join(sorted(parameters))


def _is_view(parameter: str, rules: UrlRules) -> bool:
    name, value = _name_and_value(parameter)
    return name not in rules.keep and is_presentation(name, value)


def _readable(text: str) -> str:
    """Escapes as Unicode (NFC) where they are valid UTF-8, and as themselves where they are harmless ASCII."""
    if "%" not in text:
        return text
    return normalize("NFC", _ESCAPES.sub(_unescaped, text))


def _unescaped(match: re.Match[str]) -> str:
    try:
        return unquote(match[0], errors="strict")
    except UnicodeDecodeError:
        return match[0]


def _folded(text: str) -> str:
    """Lower case, but for identifiers whose case matters (base 62 and 64: digits among letters of both cases)."""
    lower = text.lower()
    return text if lower == text else _TOKEN.sub(_folded_token, text)


def _folded_token(match: re.Match[str]) -> str:
    token = match[0]
    lower = token.lower()
    if lower == token or token.upper() == token or not _IDENTIFIER(token):
        return lower
    return token
