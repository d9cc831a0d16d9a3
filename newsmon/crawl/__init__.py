"""What one running crawl is made of: work, politeness, network guard, browser.

The Scrapy components (spiders, middlewares, pipelines, extensions) are thin adapters over these.
"""
