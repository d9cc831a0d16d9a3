"""What a failed download raises: Scrapy's exceptions, and those of Twisted that Scrapy does not wrap.

Anything else is a fault of newsmon, and must be seen as one.
"""

from __future__ import annotations

from OpenSSL.SSL import Error as TlsError
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    ResponseDataLossError,
    UnsupportedURLSchemeError,
)
from twisted.internet.error import ConnectError, ConnectionClosed

NETWORK_ERRORS = (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    ResponseDataLossError,
    UnsupportedURLSchemeError,
    ConnectError,
    ConnectionClosed,
    TlsError,
    OSError,
)
