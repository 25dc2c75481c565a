"""A record as untrusted bytes: its shape, its hidden values, what it pins, and its effective history."""
