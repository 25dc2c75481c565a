"""What operators ask: whether the service is ready, and what store and queue count at a scrape."""
