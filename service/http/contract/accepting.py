"""What a caller accepts: an answer that has no form which the caller takes is refused before anything is done."""

from collections.abc import Callable, Mapping
from typing import Any

from flask import request

from service.http.contract.operation import METHODS
from service.http.messages.problems import Problem
from service.http.middleware.observing import template


def acceptance(paths: Mapping[str, Any]) -> Callable[[], None]:
    """What checks the header `Accept` of a request by the paths of the contract, which say how each answers."""
    offered = {
        (path, method.upper()): [
            media_type
            for status, answer in operation["responses"].items()
            if status.startswith("2")
            for media_type in answer.get("content", {})
        ]
        for path, operations in paths.items()
        for method, operation in operations.items()
        if method in METHODS
    }

    def check() -> None:
        """Refuse with 406; a header that names nothing counts as absent (RFC 9110, 12.5.1)."""
        if request.url_rule is None or not request.accept_mimetypes:
            return
        method = "GET" if request.method == "HEAD" else request.method
        media_types = offered.get((template(request.url_rule.rule), method), [])
        if media_types and request.accept_mimetypes.best_match(media_types) is None:
            raise Problem(406, "not_acceptable", f"Accept one of {', '.join(media_types)}.")

    return check
