"""The API in this process, for tests that know nothing but HTTP."""

from tests.service.conftest import api

__all__ = ["api"]
