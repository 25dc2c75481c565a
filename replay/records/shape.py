"""The shape of an entry, before anything believes in it: a record is hostile input.

What passes here has exactly the members of an entry, only JSON values that canonical JSON knows, and bounds
that keep every later step small.
"""

import re
from collections.abc import Collection
from typing import Any

from events.log.actors import ACTOR_NUMBERS
from events.log.codec import COMMAND_TYPES, EVENT_TYPES
from events.log.disclosure import Form
from replay.platform.safe_text import safe
from replay.records.report import Discrepancy

HEX_32_BYTES = re.compile(r"[0-9a-f]{64}")
HEX_16_BYTES = re.compile(r"[0-9a-f]{32}")
SCOPE = re.compile(r"all|public|seat:(0|[1-9][0-9]?)")
_MEMBER = re.compile(r"[ -/:-~][ -~]{0,63}")
"""No name begins with a digit: JavaScript would move such a member to the front."""
_ORDER = ("version", "type", "schema", "at", "actor", "data", "state", "command")
_MEMBERS = {*_ORDER} - {"command"}
_WRITTEN = (_ORDER, _ORDER[:-1])
"""The members of an entry in the order in which they are written: with a command, and without."""
_OWN_MEMBERS = frozenset(
    {*_ORDER}.union(
        *(struct.__struct_fields__ for struct in (*EVENT_TYPES.values(), *COMMAND_TYPES.values()))
    )
)
"""The names that events and commands use: none of them has to be read letter by letter."""
_CONTAINERS = (dict, list)
_KINDS = (("type", str), ("schema", int), ("at", int), ("data", dict))
_OTHER_ORDER = "the entry's members stand in another order"
LARGEST = (1 << 53) - 1
"""The largest integer that canonical JSON can hold, and the smallest with a minus."""
DEEPEST = 6
LONGEST_TEXT = 2_000
MOST_MEMBERS = 1_000


def check_shape(form: Form, version: int) -> None:
    """Refuse a form that is no entry of a record at this version.

    Raises:
        Discrepancy: of the checks `record` (another version) or `shape`.
    """
    entry = form.entry
    found = entry.get("version")
    if type(found) is not int or found != version:
        raise Discrepancy("record", f"this entry is missing; found {_shorten(found)} in its place")
    _check_members(entry)
    for name in ("type", "schema", "at"):
        _check_plain(entry[name], 1)
    check_values(entry)
    if not HEX_32_BYTES.fullmatch(form.hash):
        raise Discrepancy("shape", "the chain hash is not 64 lower-case hex digits")
    for path, value in form.salts.items():
        if not HEX_16_BYTES.fullmatch(value):
            raise Discrepancy("shape", f"the salt of {_shorten(path)} is not 32 lower-case hex digits")


def _check_members(entry: dict[str, Any]) -> None:
    if not is_in_order(entry):
        raise Discrepancy("shape", _wrong_members(entry))
    for name, kind in _KINDS:
        if type(entry[name]) is not kind:
            raise Discrepancy("shape", f"{name} is {_shorten(entry[name])}, which has the wrong type")
    if entry["at"] < 0:
        raise Discrepancy("shape", "the time lies before 1970")
    if not isinstance(entry["state"], str) or not HEX_32_BYTES.fullmatch(entry["state"]):
        raise Discrepancy("shape", "the state hash is not 64 lower-case hex digits")
    if not isinstance(entry["actor"], str) or entry["actor"] not in ACTOR_NUMBERS:
        raise Discrepancy("shape", f"nobody can act as {_shorten(entry['actor'])}")
    if "command" in entry and not isinstance(entry["command"], dict):
        raise Discrepancy("shape", "the command is no object")


def _wrong_members(entry: dict[str, Any]) -> str:
    missing, surplus = _MEMBERS - entry.keys(), entry.keys() - {*_ORDER}
    if missing:
        return f"the entry lacks {', '.join(sorted(missing))}"
    return f"the entry has a member {_shorten(min(surplus))}" if surplus else _OTHER_ORDER


def is_in_order(entry: dict[str, Any]) -> bool:
    """Whether an entry has the members that it must have, in the order in which they are written."""
    return (*entry,) in _WRITTEN


def check_values(entry: dict[str, Any]) -> None:
    """Refuse an entry whose data or command, which are objects, hold a value out of bounds.

    Raises:
        Discrepancy: of the check `shape`.
    """
    _check_container(entry["data"], 1)
    if "command" in entry:
        _check_container(entry["command"], 1)


def _check_plain(value: object, depth: int) -> None:
    """Only objects, arrays, strings, integers of 53 bits, booleans and null, within bounds."""
    if isinstance(value, str):
        if len(value) > LONGEST_TEXT:
            raise Discrepancy("shape", f"a text is longer than {LONGEST_TEXT} characters")
    elif type(value) is int:
        if not -LARGEST <= value <= LARGEST:
            raise Discrepancy("shape", "a number needs more than 53 bits")
    elif isinstance(value, _CONTAINERS):
        _check_container(value, depth)
    elif value is not None and not isinstance(value, bool):
        raise Discrepancy("shape", f"{_shorten(value)} is no integer")


def _check_container(value: dict[str, Any] | list[Any], depth: int) -> None:
    if depth >= DEEPEST:
        raise Discrepancy("shape", f"the entry is nested deeper than {DEEPEST} levels")
    if len(value) > MOST_MEMBERS:
        raise Discrepancy("shape", f"an object or array has more than {MOST_MEMBERS} members")
    if isinstance(value, dict):
        check_names(value)
        value = [*value.values()]
    for member in value:
        kind = type(member)
        if kind is str:  # nearly all are short texts and small numbers: what they would pass is not called
            if len(member) <= LONGEST_TEXT:
                continue
        elif kind is int and -LARGEST <= member <= LARGEST:
            continue
        _check_plain(member, depth + 1)


def check_names(names: Collection[str]) -> None:
    """Refuse names of members that are not written in a few printable letters.

    Raises:
        Discrepancy: of the check `shape`.
    """
    if _OWN_MEMBERS.issuperset(names):
        return
    for name in names:
        if not _MEMBER.fullmatch(name):
            raise Discrepancy("shape", f"{_shorten(name)} is no name of a member")


def _shorten(value: object) -> str:
    """A value of unknown size, for a message."""
    text = repr(value) if isinstance(value, str | int | float | bool | None) else type(value).__name__
    return safe(text, 40)
