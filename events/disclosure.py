"""The one place where it is decided who may see what of a log entry.

An entry's *form for a viewer* has a commitment in place of every value that the viewer may not see, and carries
the salts of those hidden from others that they may. The form for the public has no salts: the hash chain runs
over it, so every viewer can compute the same chain head from what they were given.
"""

from collections.abc import Callable
from typing import Any

import msgspec

from events.codec import command_private, event_private
from events.commands import ACTOR, NOBODY
from events.commitments import commit, salt
from events.recorded import RecordedEvent

PUBLIC = -1
"""The viewer who sees only what is open to everybody. Seats are viewers by their number."""
ALL = -2
"""The viewer who sees everything: anybody, once the game has finished."""
NOBODY_SEAT = -3
"""Stands for the holder of a value that no seat may see before the end."""


class Form(msgspec.Struct, frozen=True):
    """An entry as one viewer gets it."""

    entry: dict[str, Any]
    """The entry as a JSON object; hidden values are `{"commitment": "<hex>"}`."""
    salts: dict[str, str]
    """Path to salt (hex) of every value in `entry` that others see as a commitment."""
    hash: str
    """The chain hash after this entry."""


def viewer_name(viewer: int) -> str:
    """How a viewer is written: `seat:0` and so on, `public` or `all`."""
    return {PUBLIC: "public", ALL: "all"}.get(viewer, f"seat:{viewer}")


def form_for(recorded: RecordedEvent, key: bytes, viewer: int) -> Form:
    """The entry as this viewer may see it; `key` is the game's salt key."""
    salts: dict[str, str] = {}

    def veil(path: str, value: Any, holder: int) -> Any:
        value_salt = salt(key, recorded.version, path)
        if viewer in (ALL, holder):
            salts[path] = value_salt
            return value
        return {"commitment": commit(value_salt, value)}

    data: dict[str, Any] = msgspec.json.decode(recorded.data)
    for name, owner in event_private(recorded.type, recorded.schema).items():
        value = data.get(name)
        if value is None:
            continue
        holder = NOBODY_SEAT if owner == NOBODY else data[owner]
        path = f"data/{name}"
        if isinstance(value, list):
            data[name] = [veil(f"{path}/{place}", item, holder) for place, item in enumerate(value)]
        else:
            data[name] = veil(path, value, holder)
    entry = _envelope(recorded, data)
    if recorded.command:
        entry["command"] = _command_form(recorded, veil)
    if viewer == ALL:
        salts["state"] = salt(key, recorded.version, "state")
    return Form(entry, salts, recorded.hash)


def _command_form(recorded: RecordedEvent, veil: Callable[[str, Any, int], Any]) -> dict[str, Any]:
    command: dict[str, Any] = msgspec.json.decode(recorded.command)
    for name, owner in command_private(command).items():
        if name in command:
            holder = acting_seat(recorded.actor) if owner == ACTOR else NOBODY_SEAT
            command[name] = veil(f"command/{name}", command[name], holder)
    return command


def acting_seat(actor: str) -> int:
    """The seat of an actor such as `seat:2`; NOBODY_SEAT for the dealer and the host."""
    return int(actor.removeprefix("seat:")) if actor.startswith("seat:") else NOBODY_SEAT


def _envelope(recorded: RecordedEvent, data: dict[str, Any]) -> dict[str, Any]:
    return {
        "version": recorded.version,
        "type": recorded.type,
        "schema": recorded.schema,
        "at": recorded.at,
        "actor": recorded.actor,
        "data": data,
        "state": recorded.state_hash,
    }


def public_form(form: Form) -> dict[str, Any]:
    """The public form of an entry, computed from any viewer's form: what the hash chain runs over.

    This is all that a verifier needs to know; it has no table of private fields.
    """
    entry: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(form.entry))
    for path, value_salt in form.salts.items():
        if path == "state":
            continue
        *way, last = path.split("/")
        place: Any = entry
        for step in way:
            place = place[int(step)] if isinstance(place, list) else place[step]
        name: Any = int(last) if isinstance(place, list) else last
        place[name] = {"commitment": commit(value_salt, place[name])}
    return entry
