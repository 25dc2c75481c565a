"""Spectators: processes of their own, each with many streams of server-sent events."""
