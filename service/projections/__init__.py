"""Read models that are computed from the feeds and logs, and can be thrown away and computed again."""
