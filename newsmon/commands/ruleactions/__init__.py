"""What ``scrapy rules`` does, an action per module; each returns the exit code of the command."""
