"""Fixtures of the tests of projections: the application in this process, and its list."""

from tests.service.conftest import api, queue

__all__ = ["api", "queue"]
