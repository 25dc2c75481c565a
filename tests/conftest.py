"""Fixtures that every part of the suite may use."""

pytest_plugins = [
    "tests.support.servers",
    "tests.support.second_verifier",
    "tests.support.browser",
]
