"""newsmon watches news sites and knows when it is wrong."""

__version__ = "0.1.0"
