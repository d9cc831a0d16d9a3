"""What ``scrapy extract`` writes."""
