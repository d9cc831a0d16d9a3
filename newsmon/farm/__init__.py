"""A news farm on loopback: sites in five languages with the manners, faults and traps of real ones.

::

    sites.py troubles.py --desk--> Site (routes, expectations) --server--> http://zarya.example/... on 127.0.0.1
    bulk.py ------------------------^
    a folder of pages --pages_dir---^

The crawler reaches it because ``NEWSMON_CONNECT_TO`` maps the host names to the farm's port (``farm.connect_to``) and
``NEWSMON_ALLOW_ADDRESSES`` allows 127.0.0.1. ``farm.expected`` says what a correct crawl stores, refuses and why.
"""

from newsmon.farm.generated import Farm
from newsmon.farm.model import Expectation, FarmError, FeedExpectation, Hit
from newsmon.farm.pages_dir import PagesFarm

__all__ = ["Expectation", "Farm", "FarmError", "FeedExpectation", "Hit", "PagesFarm"]
