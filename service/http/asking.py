"""Asking who sends a request before anything else of it is read."""

from collections.abc import Callable
from functools import wraps
from typing import Any


def asked_first(**checks: Callable[..., Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A decorator for views: calls each check with the variables of the address and hands on what it finds, by name.

    It stands above the decorators that read parameters and body: whoever may not do a thing is told so, and not what
    is wrong with how they asked.
    """

    def decorate(view: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(view)
        def asked(*arguments: Any, **variables: Any) -> Any:
            found = {name: check(**variables) for name, check in checks.items()}
            return view(*arguments, **found, **variables)

        return asked

    return decorate
