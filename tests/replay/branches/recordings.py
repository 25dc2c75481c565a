"""Recorded games of all systems, as branches part from them."""

from functools import cache
from pathlib import Path

from events.game.record import read_record
from events.log.actors import actor_number
from events.log.redacted import command_in, event_in
from events.rules.definition.rule_system import Rules
from events.rules.systems.registry import BY_KEY
from replay.branches.origin import Origin, Recorded, find_origin
from replay.client.sources import record_lines
from replay.records.pinned import pinned_rules

LOGS = Path(__file__).parents[2] / "logs"
FILES = {
    system: sorted(
        file
        for file in (LOGS / system).glob("*.ndjson*")
        if ".public." not in file.name and ".seat-" not in file.name
    )
    for system in BY_KEY
}
"""The records of each system that hold everything."""
GAMES = [f"{system}/{file.name}" for system, files in FILES.items() for file in files[-2:]]
"""Two of each system, those with the longest names of options among them."""
CLASSIC = "classic/three-players.ndjson"


@cache
def game(name: str) -> tuple[Rules, tuple[Recorded, ...]]:
    """The rules and the log of a recorded game; that they verify is tested in tests/replay."""
    with record_lines(str(LOGS / name)) as lines:
        header, forms = read_record(lines)
        log = tuple(
            Recorded(
                form.entry["version"],
                form.hash,
                actor_number(form.entry["actor"]),
                event_in(form.entry),
                command_in(form.entry),
            )
            for form in forms
        )
    return pinned_rules(header, log[0].event), log


@cache
def origin(name: str, part: float) -> Origin:
    """Where one can play on in a game after this part of it."""
    rules, log = game(name)
    return find_origin(rules, log, max(1, int(len(log) * part)))
