"""Streams without threads: the notifier of games that have moved, outboxes, and the one thread that sends."""
