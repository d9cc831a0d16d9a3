"""The only place that speaks SQL, and the archive of raw pages."""

from newsmon.storage.archive import Archive
from newsmon.storage.store import Store
from newsmon.storage.work import (
    FeedLease,
    FeedStatus,
    Ledger,
    NewUrl,
    PageState,
    Revision,
    Selection,
    SiteStatus,
    StoredRobots,
    Work,
)

__all__ = [
    "Archive",
    "FeedLease",
    "FeedStatus",
    "Ledger",
    "NewUrl",
    "PageState",
    "Revision",
    "Selection",
    "SiteStatus",
    "Store",
    "StoredRobots",
    "Work",
]
