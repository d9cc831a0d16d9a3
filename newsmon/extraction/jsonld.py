"""JSON-LD of a page (schema.org): the node that is the article, and its fields.

Real pages hold the article in a list, a ``@graph`` or a script of its own, next to teasers of other articles, with
authors as references by ``@id``; and JSON that is not JSON: comments and CDATA around it, raw line breaks in strings,
trailing commas, HTML entities in values.
"""

from __future__ import annotations

import json
import re
from html import unescape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from newsmon.extraction.head import Values

Node = dict[str, Any]

MAX_SCRIPT = 2_000_000
"""Characters of one script that are read; longer ones are data dumps."""

ARTICLE = re.compile(r"(?:Article|Posting|Report)$")
"""Types of schema.org that are an article: NewsArticle and its subtypes, BlogPosting, LiveBlogPosting, Report."""

_ORGANISATION = frozenset(("Organization", "NewsMediaOrganization", "Corporation", "NGO", "GovernmentOrganization"))
_BEFORE = ("<!--", "//", "/*", "<![CDATA[", "*/")
_AFTER = (";", "-->", "*/", "]]>", "//", "/*")
_TRAILING_COMMA = re.compile(r'("(?:[^"\\]|\\.)*+"?)|,(?=\s*[}\]])', re.DOTALL)
_TAG = re.compile(r"<[a-zA-Z/!][^<>]*>")
_SCHEMA = re.compile(r"^https?://schema\.org/|^schema:")
_CHILDREN = ("@graph", "mainEntity", "mainEntityOfPage")
_MAX_NODES = 2000
_MAX_AUTHORS = 100
_MAX_STEPS = 10
_SECTION = 25  # characters from which the last step of a short trail is the headline


def parse_json(script: str) -> Any:
    """The value of a JSON-LD script, mended where it is broken in one of the usual ways; None when it stays broken.

    >>> parse_json('<!-- {"a": "line\\nbreak", "b": [1, 2,],} -->')
    {'a': 'line\\nbreak', 'b': [1, 2]}
    """
    text = script[:MAX_SCRIPT]
    for mend in (_as_it_is, _unwrapped, _without_trailing_commas):
        try:
            return json.loads(mend(text), strict=False)
        except (ValueError, RecursionError):
            continue
    return None


def read_nodes(scripts: Iterable[str]) -> list[Node]:
    """All top-level nodes of the scripts, nested lists and graphs opened, references by ``@id`` not yet resolved."""
    nodes: list[Node] = []
    stack = [parse_json(script) for script in scripts][::-1]
    while stack and len(nodes) < _MAX_NODES:
        value = stack.pop()
        if isinstance(value, list):
            stack.extend(reversed(value))
        elif isinstance(value, dict):
            nodes.append(value)
            stack.extend(value[key] for key in _CHILDREN if isinstance(value.get(key), dict | list))
    return nodes


def types(node: Node) -> list[str]:
    """The types of a node without the schema.org prefix."""
    return [_SCHEMA.sub("", name) for name in _list(node.get("@type")) if isinstance(name, str)]


def is_article(node: Node) -> bool:
    return any(ARTICLE.search(name) for name in types(node))


def choose_article(nodes: Iterable[Node], urls: Iterable[str]) -> Node | None:
    """The node of the page's own article: one that names the page's address, else the one that says most.

    :param urls: addresses of this page; compared without scheme, query and trailing slash.
    """
    own = {_bare(url) for url in urls}
    articles = [node for node in nodes if is_article(node)]
    return max(articles, default=None, key=lambda node: (bool(own & {*map(_bare, addresses(node))}), _fullness(node)))


def addresses(node: Node) -> list[str]:
    """The addresses a node gives for itself."""
    found = [node.get("url"), node.get("@id")]
    for page in _list(node.get("mainEntityOfPage")):
        found.extend((page.get("@id"), page.get("url")) if isinstance(page, dict) else (page,))
    return [url for url in found if isinstance(url, str)]


def breadcrumbs(nodes: Iterable[Node]) -> list[str]:
    """The sections that lead to the page, without the front page and the article itself."""
    trail = next((node for node in nodes if "BreadcrumbList" in types(node)), {})
    steps = [step for step in _list(trail.get("itemListElement"))[:_MAX_STEPS] if isinstance(step, dict)]
    names = [name for step in steps for name in _names([step.get("name") or step.get("item")], {})[:1]]
    return names[1:-1] if len(names) > 2 else names[1:] if names and len(names[-1]) <= _SECTION else []


def article_values(node: Node, nodes: Collection[Node]) -> Values:
    """The fields of an article node.

    :param nodes: where references by ``@id`` are looked up.
    """
    known = {node["@id"]: node for node in nodes if isinstance(node.get("@id"), str) and len(node) > 1}
    people, organisations = _authors(node, known)
    values: Values = {
        "title": _texts(node, "headline", "name"),
        "summary": _texts(node, "description", "abstract"),
        "authors": _names(people, known),
        "organisations": _names([*organisations, *people], known),
        "published": _texts(node, "datePublished", "dateCreated"),
        "modified": _texts(node, "dateModified"),
        "language": _names(node.get("inLanguage"), known, "alternateName", "name"),
        "image": _names(node.get("image"), known, "url", "contentUrl"),
        "section": _texts(node, "articleSection") or breadcrumbs(nodes),
        "tags": _names(node.get("keywords"), known, "name"),
        "site_name": _names(node.get("publisher"), known),
        "text": [value for value in (node.get("articleBody"),) if isinstance(value, str)],
        "paywalled": [str(value) for value in _access(node)],
        "type": types(node),
        "canonical_url": addresses(node),
    }
    return {name: found for name, found in values.items() if found}


def _as_it_is(text: str) -> str:
    return text


def _unwrapped(text: str) -> str:
    for prefix in _BEFORE:
        text = text.lstrip().removeprefix(prefix)
    for suffix in _AFTER:
        text = text.rstrip().removesuffix(suffix)
    return text


def _without_trailing_commas(text: str) -> str:
    return _TRAILING_COMMA.sub(lambda match: match[1] or "", _unwrapped(text))


def _list(value: Any) -> list[Any]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def _fullness(node: Node) -> int:
    return sum(bool(node.get(key)) for key in ("headline", "datePublished", "author", "articleBody", "image"))


def _bare(url: str) -> str:
    address = url.strip().partition("?")[0].partition("#")[0]
    return re.sub(r"^https?://(?:www\.)?", "", address).rstrip("/").lower()


def _access(node: Node) -> Iterator[Any]:
    """``isAccessibleForFree`` of the article and of its parts."""
    for part in (node, *_list(node.get("hasPart"))):
        if isinstance(part, dict) and part.get("isAccessibleForFree") is not None:
            yield part["isAccessibleForFree"]


def _texts(node: Node, *keys: str) -> list[str]:
    return [_plain(value) for key in keys for value in _list(node.get(key)) if isinstance(value, str | int) and value]


def _names(value: Any, known: Mapping[str, Node], *keys: str) -> list[str]:
    """Strings of a value that may be a string, a node, a reference by ``@id`` or a list of them.

    :param keys: where a node holds its string, the best key first; its name by default.
    """
    found: list[str] = []
    for item in _list(value):
        node = _resolved(item, known)
        if isinstance(node, dict):
            stated = (_texts(node, key) for key in keys or ("name",))
            found.extend(next(filter(None, stated), _whole_name(node)))
        elif isinstance(node, str):
            found.append(_plain(node))
    return [name for name in found if name]


def _authors(node: Node, known: Mapping[str, Node]) -> tuple[list[Any], list[Any]]:
    """The people and the organisations a node names as authors; creators where it names no author."""
    people: list[Any] = []
    organisations: list[Any] = []
    for item in (_list(node.get("author")) or _list(node.get("creator")))[:_MAX_AUTHORS]:
        author = _resolved(item, known)
        is_person = not isinstance(author, dict) or _ORGANISATION.isdisjoint(types(author))
        (people if is_person else organisations).append(author)
    return people, organisations


def _whole_name(node: Node) -> list[str]:
    """First and last name of a person without a name."""
    parts = [part for key in ("givenName", "familyName") if isinstance(part := node.get(key), str) and part]
    return [" ".join(parts)] if len(parts) == 2 else []


def _resolved(item: Any, known: Mapping[str, Node]) -> Any:
    reference = item.get("@id") if isinstance(item, dict) and len(item) == 1 else item
    return known.get(reference, item) if isinstance(reference, str) else item


def _plain(value: Any) -> str:
    """Text without entities and tags; schema.org wants text, sites put HTML."""
    text = str(value)
    if "&" in text:
        text = unescape(text)
    return _TAG.sub(" ", text) if "<" in text else text
