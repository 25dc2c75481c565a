"""Logging of the processes: plain lines on standard error, without hands, decks, secrets or tokens."""

import logging


def log_to_standard_error() -> None:
    """Set up logging for one process."""
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
