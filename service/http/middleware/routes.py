"""Templates of addresses: how the contract, the metrics and the log name a route."""

import re
from functools import cache
from typing import Final

_VARIABLE: Final = re.compile(r"<(?:[^<>]*:)?(\w+)>")


@cache
def template(rule: str) -> str:
    """A route's rule as the contract writes it: `/v1/keys/{key}` for `/v1/keys/<string(minlength=5):key>`."""
    return _VARIABLE.sub(r"{\1}", rule)
