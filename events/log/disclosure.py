"""The one place where it is decided who may see what of a log entry.

An entry's *form for a viewer* has a commitment in place of every value that the viewer may not see, and carries
the salts of those hidden from others that they may. The form for the public has no salts: the hash chain runs
over it, so every viewer can compute the same chain head from what they were given.
"""

from typing import Any

import msgspec

from events.chain.commitments import commit, salt
from events.commands import ACTOR, NOBODY
from events.log.codec import command_private, event_private
from events.log.recorded import RecordedEvent

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


class Disclosure:
    """What of one entry is shown to whom; what was worked out for one viewer serves all others."""

    __slots__ = ("_command", "_commitments", "_data", "_hidden", "_key", "recorded")

    def __init__(self, recorded: RecordedEvent, key: bytes) -> None:
        """Disclose this entry; `key` is the game's salt key."""
        self.recorded = recorded
        self._key = key
        self._commitments: dict[str, dict[str, str]] = {}
        # Path, holder, and where the value stands: in which object under which name, and at which place of a list.
        hidden: list[tuple[str, int, bool, str, int | None]] = []
        data: dict[str, Any] = msgspec.json.decode(recorded.data)
        for name, owner in event_private(recorded.type, recorded.schema).items():
            value = data.get(name)
            if value is None:
                continue
            holder = NOBODY_SEAT if owner == NOBODY else data[owner]
            path = f"data/{name}"
            if isinstance(value, list):
                hidden += [(f"{path}/{place}", holder, False, name, place) for place in range(len(value))]
            else:
                hidden.append((path, holder, False, name, None))
        command: dict[str, Any] = {}
        if recorded.command:
            command = msgspec.json.decode(recorded.command)
            for name, owner in command_private(command).items():
                if name in command:
                    holder = acting_seat(recorded.actor) if owner == ACTOR else NOBODY_SEAT
                    hidden.append((f"command/{name}", holder, True, name, None))
        self._data, self._command, self._hidden = data, command, hidden

    def form(self, viewer: int) -> Form:
        """The entry as this viewer may see it."""
        recorded, data, command = self.recorded, self._data, self._command
        salts: dict[str, str] = {}
        if self._hidden:
            data, command = data.copy(), command.copy()
        for path, holder, is_in_command, name, place in self._hidden:
            if viewer in (ALL, holder):
                salts[path] = salt(self._key, recorded.version, path)
                continue
            members = command if is_in_command else data
            if place is None:
                members[name] = self._commitment(path, members[name])
                continue
            if place == 0:
                members[name] = members[name].copy()
            members[name][place] = self._commitment(path, members[name][place])
        entry = {
            "version": recorded.version,
            "type": recorded.type,
            "schema": recorded.schema,
            "at": recorded.at,
            "actor": recorded.actor,
            "data": data,
            "state": recorded.state_hash,
        }
        if recorded.command:
            entry["command"] = command
        if viewer == ALL:
            salts["state"] = salt(self._key, recorded.version, "state")
        return Form(entry, salts, recorded.hash)

    def _commitment(self, path: str, value: Any) -> dict[str, str]:
        """What stands in a value's place for those who may not see it; made when it is needed first."""
        made = self._commitments.get(path)
        if made is None:
            value_salt = salt(self._key, self.recorded.version, path)
            made = self._commitments[path] = {"commitment": commit(value_salt, value)}
        return made


def form_for(recorded: RecordedEvent, key: bytes, viewer: int) -> Form:
    """The entry as this viewer may see it; `key` is the game's salt key."""
    return Disclosure(recorded, key).form(viewer)


def acting_seat(actor: str) -> int:
    """The seat of an actor such as `seat:2`; NOBODY_SEAT for the dealer and the host."""
    return int(actor.removeprefix("seat:")) if actor.startswith("seat:") else NOBODY_SEAT


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


def rebuild_event(form: Form) -> RecordedEvent:
    """The stored entry, byte for byte, that this form for ALL was made of.

    A record of that scope holds every value in the order in which it was stored: it is a full copy of the log.

    Raises:
        LookupError: a member of the entry is missing.
    """
    entry = form.entry
    return RecordedEvent(
        version=entry["version"],
        type=entry["type"],
        schema=entry["schema"],
        data=msgspec.json.encode(entry["data"]),
        at=entry["at"],
        actor=entry["actor"],
        command=msgspec.json.encode(entry["command"]) if "command" in entry else b"",
        state_hash=entry["state"],
        hash=form.hash,
    )
