"""The bytes that a log is chained by: canonical JSON, salted commitments, and the hash chain over public forms."""
