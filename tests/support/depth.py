"""How much of a long test a run takes: `make test` a part of it, `make soak` all.

Tests that take a part only are marked `deep`, and those that only `make soak` runs are marked `soak`.
"""

import os
from typing import Final, TypeVar

Much = TypeVar("Much")
IS_SOAK: Final = os.environ.get("FIELDBOOK_SOAK") == "1"


def depth(part: Much, whole: Much) -> Much:
    """What this run takes: `part`, or in `make soak` the `whole`."""
    return whole if IS_SOAK else part
