"""Streams without threads: the notifier of games that have moved, their outboxes, and the threads that fill them."""
