"""Differences between two tables as text: what lay there, what lies there now."""

from collections import Counter
from collections.abc import Iterable
from itertools import groupby
from typing import Any, Final

import msgspec

from events.rules.table.state import GameState
from replay.commentary import Commentary
from replay.platform.safe_text import safe
from replay.timeline.differences import Difference

_LABEL: Final = 24
_PILES: Final = frozenset({"discard_pile", "box", "coins", "bonus_discards", "claimed"})
"""Lists of cards of which only what came and went is shown."""


def difference_lines(tell: Commentary, state: GameState, found: Iterable[Difference]) -> list[str]:
    """A line for each difference; those of a seat below the seat's name. `state` has the players' names."""
    lines = []
    for title, group in groupby(found, lambda each: _title(tell, state, each.place)):
        if title:
            lines += [title]
        for each in group:
            indent = "  " if title else ""
            label = f"{indent}{_label(each.place)}"
            lines.append(f"{label:<{_LABEL}}{_change(tell, each)}")
    return lines


def _title(tell: Commentary, state: GameState, place: str) -> str:
    first, _, rest = place.partition("/")
    seat = rest.partition("/")[0]
    if first != "seats" or not seat.isdigit() or int(seat) >= len(state.seats):
        return ""
    return f"{tell.player(state, int(seat))}, seat {seat}"


def _label(place: str) -> str:
    parts = place.split("/")
    parts = parts[2:] if parts[0] == "seats" else parts
    words = [part.removesuffix("s") if part in ("fields", "fans", "offers") else part for part in parts]
    return safe(" ".join(words).replace("_", " "), 60) or "seat"


def _change(tell: Commentary, each: Difference) -> str:
    name = each.place.rpartition("/")[2]
    one, other = each.before, each.after
    if name in _PILES and isinstance(one, list) and isinstance(other, list):
        return f"{len(one)} -> {len(other)} cards: {_count_changes(tell, one, other)}"
    if name == "hand" and isinstance(one, dict) and isinstance(other, dict) and "cards" in other:
        return (
            f"{one['size']} -> {other['size']} cards: {_number_changes(tell, one['cards'], other['cards'])}"
        )
    return f"{_describe(tell, one)} -> {_describe(tell, other)}"


def _count_changes(tell: Commentary, one: list[str], other: list[str]) -> str:
    gone, come = Counter(one) - Counter(other), Counter(other) - Counter(one)
    moved = [f"-{count} {tell.names.short(card)}" for card, count in gone.items()]
    moved += [f"+{count} {tell.names.short(card)}" for card, count in come.items()]
    return ", ".join(moved) or "in another order"


def _number_changes(tell: Commentary, one: list[dict[str, Any]], other: list[dict[str, Any]]) -> str:
    gone = [f"-{each['number']} {tell.names.short(each['card'])}" for each in one if each not in other]
    come = [f"+{each['number']} {tell.names.short(each['card'])}" for each in other if each not in one]
    return ", ".join(gone + come)


def _describe(tell: Commentary, value: Any) -> str:
    """What lies in a place, in a few words."""
    if isinstance(value, list):
        return _describe_list(tell, value)
    match value:
        case None:
            return "none"
        case {"size": size, **more}:
            exhausted = f", run out {more['exhaustions']} times" if more.get("exhaustions") else ""
            return f"{size} cards{exhausted}"
        case str() | int():
            return safe(str(value), 80)
        case _:
            return _as_json(value)


def _describe_list(tell: Commentary, value: list[Any]) -> str:
    match value:
        case []:
            return "empty"
        case [str(), *_]:
            return ", ".join(f"{len([*run])} {tell.names.short(card)}" for card, run in groupby(value))
        case [{"number": _, "card": _}, *_]:
            return ", ".join(f"{each['number']} {tell.names.short(each['card'])}" for each in value)
        case _:
            return _as_json(value)


def _as_json(value: Any) -> str:
    return safe(msgspec.json.encode(value).decode(), 200)
