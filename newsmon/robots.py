"""robots.txt by RFC 9309: what an answer means, how long it holds, and what it says of a URL.

::

    answer --RobotsFile.from_response--> 2xx             its rules hold            ask again after 24 h
                                         3xx, 4xx        everything is allowed     ask again after 24 h
                                         429, 5xx  --.
    no answer (timeout, reset, DNS, TLS) ------------+-> nothing is allowed        ask again soon, then ever later
           --RobotsFile.from_failure----------------'    but an earlier file's rules hold on (2.4)

A :class:`RobotsFile` is a plain record of text and times; it is kept across restarts by :meth:`RobotsFile.to_json`.
The parsed form is some 30 KB for a usual file, so it is made when first asked and only :data:`PARSED_FILES` are kept.

Rules are read by protego. It matches ``User-agent`` lines by prefix (the group of ``news`` would bind ``newsmon``),
where RFC 9309 2.2.1 compares product tokens, so the lines are reduced to tokens before it sees them.
"""

from __future__ import annotations

import codecs
import hashlib
import math
import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING

from protego import Protego

from newsmon.model import RobotsVerdict

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Self

MAX_BODY = 500 * 1024  # bytes that are read (2.5); the rest is ignored
MAX_REDIRECTS = 5  # hops to follow (2.3.1.2)
LIFETIME = timedelta(hours=24)  # longest time a file holds (2.4)
MIN_LIFETIME = timedelta(minutes=10)  # Cache-Control may shorten it down to this
MIN_RETRY = timedelta(minutes=1)
MAX_RETRY = timedelta(hours=6)
PARSED_FILES = 256


@dataclass(frozen=True, slots=True)
class RobotsPolicy:
    """The choices RFC 9309 leaves to the crawler.

    :param deny_unauthorized: read 401 and 403 as "keep out"; the RFC allows everything (2.3.1.3).
    :param allow_after: time of unreachability after which everything is allowed, as if there were no file (2.3.1.4
        speaks of 30 days); None: never.
    :param max_delay: seconds; a longer crawl-delay is cut to this. 120 s leave 720 pages a day, more than nearly any
        host publishes; obeying an hour would mean to lose most articles of the site, which a site that wants it says
        with ``Disallow``.
    """

    deny_unauthorized: bool = False
    allow_after: timedelta | None = None
    max_delay: float = 120.0


_DEFAULT_POLICY = RobotsPolicy()


@dataclass(frozen=True, slots=True)
class RobotsFile:
    """The robots.txt of one origin.

    :param status: HTTP status of the answer the rules come from, None when there never was one.
    :param body: its first :data:`MAX_BODY` bytes.
    :param fetched_at: time of that answer; of the last failure when there was none.
    :param max_age: seconds of its ``Cache-Control``.
    :param failure: why the file cannot be had now (``503``, ``timeout``), None when it can.
    :param unreachable_since: time of the first failure in a row.
    :param tried_at: time of the last failure.
    :param retry_after: seconds the last failure asked to wait.
    """

    status: int | None
    body: bytes
    fetched_at: datetime
    max_age: float | None = None
    failure: str | None = None
    unreachable_since: datetime | None = None
    tried_at: datetime | None = None
    retry_after: float | None = None
    policy: RobotsPolicy = _DEFAULT_POLICY

    @classmethod
    def from_response(
        cls,
        status: int,
        body: bytes,
        fetched_at: datetime,
        *,
        max_age: float | None = None,
        retry_after: float | None = None,
        previous: RobotsFile | None = None,
        policy: RobotsPolicy = _DEFAULT_POLICY,
    ) -> Self:
        """Read an answer.

        Redirects are followed by the caller, up to :data:`MAX_REDIRECTS`, also to other hosts; a 3xx that comes here is
        one hop too many (or leads nowhere) and counts as "no file" (2.3.1.2).

        :param previous: what was known of the origin before.
        """
        if status == 429 or not 200 <= status < 500:
            reason = str(status)
            return cls.from_failure(reason, fetched_at, retry_after=retry_after, previous=previous, policy=policy)
        kept = _first_lines(body) if status < 300 else b""
        return cls(status=status, body=kept, fetched_at=fetched_at, max_age=max_age, policy=policy)

    @classmethod
    def from_failure(
        cls,
        reason: str,
        now: datetime,
        *,
        retry_after: float | None = None,
        previous: RobotsFile | None = None,
        policy: RobotsPolicy = _DEFAULT_POLICY,
    ) -> Self:
        """Note that there was no usable answer; an earlier file stays in force, whatever its age (2.4).

        :param reason: for the verdict: ``timeout``, ``connection reset``, ``DNS``, ``TLS`` ...
        :param previous: what was known of the origin before.
        """
        has_rules = previous is not None and previous._has_rules
        return cls(
            status=previous.status if previous and has_rules else None,
            body=previous.body if previous and has_rules else b"",
            fetched_at=previous.fetched_at if previous and has_rules else now,
            failure=reason,
            unreachable_since=(previous and previous.unreachable_since) or now,
            tried_at=now,
            retry_after=retry_after,
            policy=policy,
        )

    @property
    def sha256(self) -> str | None:
        """Digest of the body whose rules hold, None when there are none."""
        return _digest(self.body) if self._has_rules else None

    @property
    def retry_at(self) -> datetime | None:
        """When to ask again, None when there is no failure.

        The wait grows with the time since the first failure: 1, 1, 2, 4, 8 ... minutes up to 6 hours, or what
        ``Retry-After`` said, a day at most.
        """
        if self.failure is None:
            return None
        since = self.unreachable_since or self.fetched_at
        tried = self.tried_at or since
        wait = min(max(tried - since, MIN_RETRY), MAX_RETRY)
        asked = timedelta(seconds=min(max(self.retry_after or 0.0, 0.0), LIFETIME.total_seconds()))
        return tried + max(wait, asked)

    @property
    def expires_at(self) -> datetime:
        """When the file must be fetched again: within 24 hours, sooner where ``Cache-Control`` or a failure says so."""
        if self.retry_at is not None:
            return self.retry_at
        if self.max_age is None:
            return self.fetched_at + LIFETIME
        asked = timedelta(seconds=min(max(self.max_age, 0.0), LIFETIME.total_seconds()))
        return self.fetched_at + max(asked, MIN_LIFETIME)

    @property
    def sitemaps(self) -> tuple[str, ...]:
        """Addresses of the ``Sitemap`` lines, as written, each once."""
        return tuple(dict.fromkeys(_parsed(self.body, "*").sitemaps)) if self._has_rules else ()

    def verdict(self, url: str, user_agent: str) -> RobotsVerdict:
        """Say whether ``url`` may be fetched, and why.

        :param user_agent: product token (``newsmon``) or a whole header that begins with it.
        """
        allowed, reason = self._decide(url, user_agent)
        fetched_at = None if self.failure and not self._has_rules else self.fetched_at
        return RobotsVerdict(allowed, reason, sha256=self.sha256, fetched_at=fetched_at)

    def crawl_delay(self, user_agent: str) -> float | None:
        """Seconds between two requests, the longest of ``Crawl-delay`` and ``Request-rate``; None when silent.

        Negative values and what is no number are ignored; the rest is cut to the policy's ``max_delay``. A
        ``Request-rate`` for some hours of the day is taken to hold all day.
        """
        if not self._has_rules:
            return None
        token = _product_token(user_agent)
        parser = _parsed(self.body, token)
        rate = parser.request_rate(token)
        wishes = [parser.crawl_delay(token), rate.seconds / rate.requests if rate else None]
        delays = [delay for delay in wishes if delay is not None and math.isfinite(delay) and delay >= 0]
        return min(max(delays), self.policy.max_delay) if delays else None

    def to_json(self) -> dict[str, object]:
        """Return the record as JSON values; the policy is not part of it."""
        times = {name: getattr(self, name) for name in _TIMES}
        return {
            "status": self.status,
            "body": self.body.decode("latin-1"),  # every byte survives, and ASCII stays legible
            "max_age": self.max_age,
            "failure": self.failure,
            "retry_after": self.retry_after,
            **{name: time.isoformat() if time else None for name, time in times.items()},
        }

    @classmethod
    def from_json(cls, state: Mapping[str, object], *, policy: RobotsPolicy = _DEFAULT_POLICY) -> Self:
        """Return the record that :meth:`to_json` wrote.

        :raises KeyError, TypeError, ValueError: when it did not.
        """
        values = dict(state)
        values["body"] = str(values["body"]).encode("latin-1")
        for name in _TIMES:
            values[name] = datetime.fromisoformat(str(values[name])) if values[name] else None
        return cls(**values, policy=policy)  # type: ignore[arg-type]

    @property
    def _has_rules(self) -> bool:
        return self.status is not None and 200 <= self.status < 300

    def _decide(self, url: str, user_agent: str) -> tuple[bool, str]:
        if self._has_rules:
            token = _product_token(user_agent)
            stale = f" (of an earlier file: unreachable ({self.failure}))" if self.failure else ""
            return _parsed(self.body, token).can_fetch(url, token), f"rule{stale}"
        if self.failure is not None:
            return self._given_up(), f"unreachable ({self.failure})"
        refused = self.status in (401, 403) and self.policy.deny_unauthorized
        return not refused, f"no robots.txt ({self.status})"

    def _given_up(self) -> bool:
        """Whether the file was unreachable for so long that the policy crawls without it."""
        if self.policy.allow_after is None or self.tried_at is None or self.unreachable_since is None:
            return False
        return self.tried_at - self.unreachable_since >= self.policy.allow_after


_TIMES = ("fetched_at", "unreachable_since", "tried_at")
_LINE_END = re.compile(rb"[\r\n]")
_BYTE_ORDER_MARK = re.compile(rb"\xef(?:\xbb\xbf?)?")
_TOKEN = re.compile(r"[A-Za-z_-]*")
_AGENT_LINE = re.compile(r"^[ \t]*user[- ]?agent[ \t]*(?::[ \t]*|[ \t])([^#\n]*)", re.I | re.M)
_NOBODY = "?"  # no product token holds it


def _first_lines(body: bytes) -> bytes:
    """The part of a body that is read; a line cut in two would forbid more than was meant."""
    if len(body) <= MAX_BODY:
        return body
    ends = [match.end() for match in _LINE_END.finditer(body, 0, MAX_BODY)]
    return body[: ends[-1]] if ends else b""


@lru_cache(maxsize=PARSED_FILES)
def _digest(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()


@lru_cache(maxsize=PARSED_FILES)
def _parsed(body: bytes, token: str) -> Protego:
    text = _decoded(body).replace("\r\n", "\n").replace("\r", "\n")
    if text.lstrip().startswith("<"):
        return Protego.parse("")  # an error page sent as 200: no rules, and its words are none
    return Protego.parse(_AGENT_LINE.sub(lambda match: f"User-agent: {_group_of(match[1], token)}", text))


def _decoded(body: bytes) -> str:
    """RFC 9309 wants UTF-8; a byte order mark, whole or torn, would hide the first line."""
    if body.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return body.decode("utf-16", "replace")
    mark = _BYTE_ORDER_MARK.match(body)
    return body[mark.end() if mark else 0 :].decode("utf-8", "replace")


def _group_of(value: str, token: str) -> str:
    value = value.strip()
    if value == "*" or value.startswith("* "):
        return "*"
    return token if token and _product_token(value) == token else _NOBODY


def _product_token(user_agent: str) -> str:
    """The name in front of a user agent, in lower case (RFC 9309 2.2.1): ``newsmon`` of ``NewsMon/1.0 (+...)``."""
    match = _TOKEN.match(user_agent.strip())
    return match[0].lower() if match else ""
