"""What every request passes before it is sent: the network guard, then robots.txt; and its answer: decompression.

The first two also meet redirects, because Scrapy sends the next hop through the middlewares again.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

from scrapy.downloadermiddlewares.httpcompression import HttpCompressionMiddleware
from scrapy.downloadermiddlewares.redirect import RedirectMiddleware
from scrapy.exceptions import IgnoreRequest, NotConfigured

from newsmon.crawl.runtime import Runtime
from newsmon.errors import AddressRefused

if TYPE_CHECKING:
    from datetime import datetime
    from typing import Self

    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from newsmon.addresses import AddressPolicy
    from newsmon.crawl.robots import RobotsCache
    from newsmon.model import RobotsVerdict


class RequestRefused(IgnoreRequest):
    """The network guard refuses the address of a request."""


class RobotsForbidden(IgnoreRequest):
    """robots.txt forbids the request.

    :param verdict: what robots.txt said, and which one it was.
    :param retry_at: when to ask again, where robots.txt could not be read; None when it says no.
    """

    def __init__(self, url: str, verdict: RobotsVerdict, retry_at: datetime | None = None) -> None:
        self.verdict, self.retry_at = verdict, retry_at
        super().__init__(f"{url}: robots.txt: {verdict.reason}")


class GuardMiddleware:
    """Refuses requests whose URL is not one newsmon will ask for (scheme, userinfo, literal private address, port)."""

    def __init__(self, policy: AddressPolicy) -> None:
        self._policy = policy

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Take the policy of the crawl."""
        return cls(Runtime.of(crawler).policy)

    def process_request(self, request: Request) -> None:
        """Raise :class:`RequestRefused` for an address outside the policy."""
        try:
            self._policy.check_url(request.url)
        except AddressRefused as error:
            raise RequestRefused(str(error)) from error


class GuardedRedirectMiddleware(RedirectMiddleware):
    """Scrapy's redirects; one to what cannot be an address is refused instead of being taken for a fault of ours."""

    def process_response(self, request: Request, response: Response) -> Request | Response:  # type: ignore[override]
        """Return the request of the next hop, or the response where there is none."""
        try:
            return super().process_response(request, response)
        except ValueError as error:
            raise RequestRefused(f"{request.url}: redirect to what is no address: {error}") from error


class RobotsMiddleware:
    """Obeys robots.txt by RFC 9309: unreachable means no, and is asked again later; the verdict travels with the page.

    The verdict is left in ``request.meta["robots_verdict"]``. Requests with ``dont_obey_robotstxt`` in their meta pass.
    """

    def __init__(self, robots: RobotsCache) -> None:
        self._robots = robots

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Be off where ``ROBOTSTXT_OBEY`` is off."""
        if not crawler.settings.getbool("ROBOTSTXT_OBEY"):
            raise NotConfigured
        return cls(Runtime.of(crawler).robots)

    async def process_request(self, request: Request) -> None:
        """Raise :class:`RobotsForbidden` unless robots.txt allows the request."""
        if request.meta.get("dont_obey_robotstxt"):
            return
        await self._check(request, request.url)

    async def process_response(self, request: Request, response: Response) -> Response:
        """Raise :class:`RobotsForbidden` for a page to which the browser was redirected by itself."""
        if response.url != request.url and not request.meta.get("dont_obey_robotstxt"):
            await self._check(request, response.url)
        return response

    async def _check(self, request: Request, url: str) -> None:
        file = await self._robots.file(url)
        verdict = self._robots.verdict(file, url)
        request.meta["robots_verdict"] = verdict
        if not verdict.allowed:
            raise RobotsForbidden(url, verdict, file.retry_at)


class CompressionMiddleware(HttpCompressionMiddleware):
    """Scrapy's, with gzip unpacked in one step: its reader in Python takes twice as long, a tenth of a fetch.

    Scrapy's error for a body that grows too large would keep that body in memory until the garbage is collected.
    """

    def process_response(self, request: Request, response: Response) -> Request | Response:  # type: ignore[override]
        """Return the response with its body unpacked, or raise :class:`RequestRefused`."""
        try:
            return super().process_response(request, response)
        except IgnoreRequest as error:
            reason = str(error)
        raise RequestRefused(reason)  # only here, where the error is gone whose frames hold the body

    @staticmethod
    def _decode(body: bytes, encoding: bytes, max_size: int) -> bytes:
        whole = _gunzip(body, max_size) if encoding in (b"gzip", b"x-gzip") else None
        # What is damaged, cut off, in several parts or too large is for Scrapy to mend or to refuse.
        return HttpCompressionMiddleware._decode(body, encoding, max_size) if whole is None else whole


def _gunzip(body: bytes, max_size: int) -> bytes | None:
    """The content of a gzip file of one sound member of at most ``max_size`` bytes (0: any), None for any other."""
    unpacker = zlib.decompressobj(wbits=31)
    try:
        content = unpacker.decompress(body, max_size)
    except zlib.error:
        return None
    return content if unpacker.eof and not unpacker.unused_data else None
