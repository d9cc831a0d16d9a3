"""The commands of ``scrapy`` in a newsmon project, one module each."""
