"""Readable transcripts of generated games: what was sent, what happened, and the table at every turn's beginning.

A transcript shows the set-up, the first turns, those in which the draw pile runs out, and the last; the chain head
in its last line stands for everything in between as well.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import msgspec

from events.log.codec import decode_command, decode_event, event_type
from events.log.recorded import RecordedEvent
from events.rules.evolving.evolve import evolve
from events.rules.table.state import INITIAL_STATE, Field, GameState
from tests.support.strategies import Dice, opening, play_on
from tests.support.tables import OptionValues

FOLDER = Path(__file__).parent
FIRST_TURNS = 2
LONGEST_LIST = 6


@dataclass(frozen=True)
class Playthrough:
    """A game to write down."""

    name: str
    players: int
    options: OptionValues
    system: str = "classic"

    @property
    def path(self) -> Path:
        """Where its transcript is kept."""
        return FOLDER / f"{self.name}.txt"


PLAYTHROUGHS = (
    Playthrough("classic-1", 3, {}),
    Playthrough("classic-2", 4, {"bean_protection": "strict", "start_seat": 2}),
    Playthrough("classic-3", 5, {"start_seat": "random"}),
    Playthrough("bean-duel-1", 2, {}, "bean-duel"),
    Playthrough("the-duel-1", 2, {}, "the-duel"),
    Playthrough("ladybohn-1", 4, {}, "ladybohn"),
    Playthrough("ladybohn-expansion-1", 3, {}, "ladybohn-expansion"),
    Playthrough("extended-1", 6, {"bean_protection": "strict"}, "extended"),
)


def transcript(playthrough: Playthrough) -> str:
    """The whole text."""
    return "\n".join(_lines(playthrough)) + "\n"


def _lines(playthrough: Playthrough) -> Iterator[str]:
    begun = opening(playthrough.name, playthrough.players, playthrough.options, system=playthrough.system)
    log = begun.log + [
        entry for step in play_on(begun.table, Dice(playthrough.name)) for entry in step.entries
    ]
    options = ", ".join(f"{name} {value}" for name, value in begun.table.rules.options.items())
    yield f"{playthrough.name}: {playthrough.system}, {playthrough.players} players, {options}"
    state, skipped = INITIAL_STATE, 0
    shown = _shown(log)
    for entry in log:
        event = decode_event(entry)
        after = evolve(state, event)
        if after.turn not in shown:
            skipped += 1
        else:
            if skipped:
                yield ""
                yield f"... {skipped} events ..."
            skipped = 0
            if entry.command:
                command = decode_command(entry.command)
                yield f"{entry.actor}: {_tag(command)}{_fields(command)}"
            yield f"    {entry.version} {event_type(event)}{_fields(event)}"
            if event_type(event) == "turn_began":
                yield from _table(after)
        state = after
    yield f"chain head {log[-1].hash}"


def _shown(log: list[RecordedEvent]) -> set[int]:
    """The turns that a transcript shows; 0 is the set-up."""
    shown, turn = {*range(FIRST_TURNS + 1)}, 0
    for entry in log:
        if entry.type == "turn_began":
            turn += 1
        if entry.type in {"pile_exhausted", "game_ended"}:
            shown.add(turn)
    return shown


def _table(state: GameState) -> Iterator[str]:
    yield ""
    yield (
        f"turn {state.turn}, seat {state.active}; draw pile {len(state.draw_pile)}, "
        f"discards {len(state.discard_pile)}, exhausted {state.exhaustions} times"
    )
    for number, seat in enumerate(state.seats):
        hand = " ".join(card for _, card in seat.hand) or "-"
        fields = " | ".join(_runs(field) or "-" for field in seat.fields)
        yield f"  seat {number}  coins {len(seat.coins)}  fields {fields}  hand {hand}"
    if state.revealed:
        yield f"  on offer {' '.join(f'{number} {card}' for number, card in state.revealed)}"
    if state.ladybohn_expansion is not None:
        for fan in state.ladybohn_expansion.fans:
            yield f"  fan, top first {' '.join(fan)}"
        if state.ladybohn_expansion.quota is not None:
            yield f"  quota field seat {state.ladybohn_expansion.quota}"
    yield ""


def _runs(field: Field) -> str:
    """A field from bottom to top, neighbours of a kind together."""
    return " ".join(f"{len([*run])} {card}" for card, run in groupby(field))


def _tag(struct: msgspec.Struct) -> str:
    return str(struct.__struct_config__.tag)


def _fields(struct: msgspec.Struct) -> str:
    """The fields that say something, in a readable form."""
    shown = msgspec.to_builtins(struct)
    return "".join(f" {name}={_value(value)}" for name, value in shown.items() if name != "type")


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + " ".join(f"{name}:{_value(inner)}" for name, inner in sorted(value.items())) + "}"
    if isinstance(value, list | tuple):
        more = f" and {len(value) - LONGEST_LIST} more" if len(value) > LONGEST_LIST else ""
        return "[" + " ".join(map(_value, value[:LONGEST_LIST])) + more + "]"
    text = str(value)
    return text if len(text) <= 40 else f"{text[:16]}..."
