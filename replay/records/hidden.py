"""Which values of an entry are private, whose they are, and whether they lie open in a form.

The tables of private fields stand with the events and commands; this file walks an entry by them.
"""

from collections.abc import Iterator
from typing import Any

import msgspec

from events.chain.commitments import commit
from events.commands import ACTOR, NOBODY
from events.log.codec import command_private, event_private
from events.log.disclosure import ALL, NOBODY_SEAT, PUBLIC, Form, acting_seat, viewer_name
from replay.platform.whole_numbers import parse_whole
from replay.records.report import Discrepancy
from replay.records.shape import HEX_32_BYTES


class Hidden(msgspec.Struct, frozen=True):
    """A private value in an entry.

    Attributes:
        path: where it stands, as in the salts: `data/cards/0`.
        holder: the seat that may see it, or NOBODY_SEAT.
        value: the value itself, or the object with its commitment.
    """

    path: str
    holder: int
    value: Any

    @property
    def commitment(self) -> str | None:
        """The commitment in place of the value; None where the value lies open."""
        if not isinstance(self.value, dict):
            return None
        found = self.value.get("commitment")
        return (
            found
            if len(self.value) == 1 and isinstance(found, str) and HEX_32_BYTES.fullmatch(found)
            else None
        )

    def open_to(self, viewer: int) -> bool:
        """Whether this viewer may see it."""
        return viewer in (ALL, self.holder)


def hidden_values(entry: dict[str, Any]) -> Iterator[Hidden]:
    """Every private value of an entry, open or not, in the order of the tables.

    Raises:
        UndecodableEvent: the entry's type, its command's or the schema version of one of them is unknown.
        KeyError: the owner of a value is missing.
        TypeError: something stands there that has no owner.
    """
    yield from hidden_in_event(entry)
    command = entry.get("command")
    if command is not None:
        for name, owner in command_private(command).items():
            if name in command:
                holder = acting_seat(entry["actor"]) if owner == ACTOR else NOBODY_SEAT
                yield Hidden(f"command/{name}", holder, command[name])


def hidden_in_event(entry: dict[str, Any]) -> Iterator[Hidden]:
    """The private values of what happened, without those of the command.

    Raises:
        UndecodableEvent: the entry's type or its schema version is unknown.
        KeyError: the owner of a value is missing.
    """
    data = entry["data"]
    for name, owner in event_private(entry["type"], entry["schema"]).items():
        value = data.get(name)
        if value is None:
            continue
        holder = NOBODY_SEAT if owner == NOBODY else data[owner]
        if isinstance(value, list):
            for place, item in enumerate(value):
                yield Hidden(f"data/{name}/{place}", holder, item)
        else:
            yield Hidden(f"data/{name}", holder, value)


def parse_viewer(scope: str) -> int:
    """The viewer that a scope names: PUBLIC, ALL or a seat number.

    Raises:
        ValueError: it names none.
    """
    named = {"public": PUBLIC, "all": ALL}.get(scope)
    return parse_whole(scope.removeprefix("seat:")) if named is None else named


def redact(form: Form, viewer: int) -> Form:
    """The form as another viewer would have got it: a commitment in place of what they may not see.

    Only values that lie open can be closed; nothing can be opened.
    """
    entry = {**form.entry, "data": dict(form.entry["data"])}
    if "command" in entry:
        entry["command"] = dict(entry["command"])
    salts = dict(form.salts)
    if viewer != ALL:
        salts.pop("state", None)
    for hidden in hidden_values(form.entry):
        if not hidden.open_to(viewer) and hidden.path in salts:
            _put(entry, hidden.path, {"commitment": commit(salts.pop(hidden.path), hidden.value)})
    return Form(entry, salts, form.hash)


def _put(entry: dict[str, Any], path: str, value: dict[str, str]) -> None:
    part, name, *place = path.split("/")
    if place:
        items = entry[part][name] = list(entry[part][name])
        items[int(place[0])] = value
    else:
        entry[part][name] = value


def redact_for_public(entry: dict[str, Any]) -> dict[str, Any]:
    """The entry without its private values, for whoever only wants to know what was open to everybody.

    In their places stand empty objects, which read like commitments. An entry without private values is returned
    as it is.
    """
    shown = entry
    for hidden in hidden_in_event(entry):
        if shown is entry:
            shown = {**entry, "data": dict(entry["data"])}
        _put(shown, hidden.path, {})
    return shown


def check_scope(form: Form, viewer: int) -> None:
    """Refuse a form that shows this viewer more or less than they may see, or has other salts than it must.

    Raises:
        Discrepancy: of the check `scope`.
    """
    expected = []
    for hidden in hidden_values(form.entry):
        if hidden.open_to(viewer):
            expected.append(hidden.path)
        elif hidden.commitment is None:
            raise Discrepancy(
                "scope", f"{hidden.path} lies open, which the scope {viewer_name(viewer)} does not show"
            )
    if viewer == ALL:
        expected.append("state")
    if [*form.salts] == expected:
        return
    for path in sorted({*expected}.symmetric_difference(form.salts)):
        what = "has no salt" if path in expected else "has a salt"
        raise Discrepancy("scope", f"{path[:60]} {what}, against the scope {viewer_name(viewer)}")
    raise Discrepancy("scope", "the salts stand in another order than the values")
