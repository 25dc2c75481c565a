"""Jobs of the workers, and the dispatcher that has them done until they are.

A job that waits in a queue is known by its path here, such as `service.jobs.validate_game`, whatever module it is
in: what an earlier release has enqueued is done by this one, and the other way round.
"""

from importlib import import_module
from typing import Any


def __getattr__(name: str) -> Any:
    """A job by its name; imported only when one is done, because who enqueues needs none of its code."""
    if name.startswith("_"):
        raise AttributeError(name)
    return getattr(import_module("service.jobs.jobs"), name)
