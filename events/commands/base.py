"""The base of all commands, and whom their private fields are for."""

from typing import ClassVar

import msgspec

from events.chain.canonical import snake_case

ACTOR = "actor"
NOBODY = ""


class Command(
    msgspec.Struct,
    frozen=True,
    tag_field="type",
    tag=snake_case,
    forbid_unknown_fields=True,
    omit_defaults=True,
    gc=False,
):
    """Base of all commands."""

    schema: ClassVar[int] = 1
    """Version of the shape in which it is stored; clients always send the newest, without naming it."""
    private: ClassVar[dict[str, str]] = {}
    """Fields that others may not see: field name to ACTOR (only who sent it) or NOBODY (until the end)."""
