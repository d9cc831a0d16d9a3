"""The errors newsmon raises on purpose.

::

    NewsmonError                 everything below; its text names the site, field, file or URL and the next step
    ├── SettingError             a setting is wrong (its name, what to write instead)
    ├── RuleError                a rule file cannot be used (file, line, what to write instead)
    ├── FeedError                a body is not a readable feed (url)
    ├── UrlError                 an address is not one newsmon will request (url)
    │   └── AddressRefused       the network guard forbids the address (url, address)
    ├── StoreError               the store cannot do what was asked (store URL)
    │   ├── StoreUnavailable     disk full, locked, connection lost: pause, retry, lose nothing
    │   ├── StoreInUse           another process owns this single-process store
    │   └── LeaseLost            the work was leased to another process in the meantime
    ├── ExtractorFault           the extractor failed on a page in its process, or that cannot be started
    ├── ModelError               a model file cannot be read, or a model not be trained (its name or path)
    ├── ExportError              an export cannot be written (path)
    └── EvaluationError          the data of an evaluation cannot be used (path)

``StoreUnavailable`` names the next move of whoever catches it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


class NewsmonError(Exception):
    """Base of all errors that newsmon raises on purpose."""


class SettingError(NewsmonError):
    """A setting is wrong; the text names it and what to write instead."""


class RuleError(NewsmonError):
    """A rule file cannot be used.

    :param message: what is wrong and what to write instead.
    :param file: path of the rule file, as the user knows it.
    :param line: 1-based line, when known.
    :param site: domain of the rules, when known.
    """

    def __init__(
        self, message: str, *, file: str | None = None, line: int | None = None, site: str | None = None
    ) -> None:
        self.message, self.file, self.line, self.site = message, file, line, site
        place = ":".join(str(part) for part in (file or site, line) if part is not None)
        super().__init__(f"{place}: {message}" if place else message)


class _ErrorAtUrl(NewsmonError):
    def __init__(self, message: str, *, url: str | None = None) -> None:
        self.message, self.url = message, url
        super().__init__(f"{url}: {message}" if url else message)


class FeedError(_ErrorAtUrl):
    """A body is not a readable feed."""


class UrlError(_ErrorAtUrl):
    """An address is not one that newsmon will request."""


class AddressRefused(UrlError):
    """The network guard forbids the address (private, loopback, link-local, not http)."""

    def __init__(self, message: str, *, url: str | None = None, address: str | None = None) -> None:
        self.address = address
        super().__init__(message, url=url)


class StoreError(NewsmonError):
    """The store cannot do what was asked."""


class StoreUnavailable(StoreError):
    """The store cannot write now (disk full, locked, connection lost); the same call may succeed later."""


class StoreInUse(StoreError):
    """Another process owns this single-process store."""


class LeaseLost(StoreError):
    """The work is not leased by this process (any more); whoever has it now will finish it."""


class ExtractorFault(NewsmonError):
    """The extractor raised an error in the process that reads risky pages, or that process cannot be started."""


class ModelError(NewsmonError):
    """A model file cannot be read, or a model cannot be trained from the data given.

    :param model: its name, or the path of its file, when there is one.
    """

    def __init__(self, message: str, *, model: str | None = None) -> None:
        self.message, self.model = message, model
        super().__init__(f"{model}: {message}" if model else message)


class ExportError(NewsmonError):
    """An export cannot be written."""


class EvaluationError(NewsmonError):
    """The data of an evaluation cannot be used.

    :param path: the file or folder that is wrong, when there is one.
    """

    def __init__(self, message: str, *, path: Path | None = None) -> None:
        self.message, self.path = message, path
        super().__init__(f"{path}: {message}" if path else message)
