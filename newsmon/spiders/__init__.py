"""The spiders: ``news`` follows feeds, ``backfill`` a site's past in its sitemaps."""
