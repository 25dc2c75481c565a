"""Single changes to the file of a record: bits, bytes, lines, and values in its JSON."""

import json
import random
from collections.abc import Iterator
from typing import Any


def places(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every value and member name of a JSON value."""
    if way:
        yield way
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, item in inside:
        yield from places(item, (*way, name))


def mutated(value: Any, chance: random.Random) -> Any:
    """Another value in place of this one: a near miss or something of another kind."""
    others: list[Any] = [
        None,
        True,
        False,
        0,
        -1,
        2**60,
        10**40,
        1.5,
        "",
        "x",
        "\u202e",
        [],
        {},
        [[]],
        {"commitment": 1},
    ]
    match value:
        case bool():
            others += [not value] * 8
        case int():
            others += [value + 1, value - 1, -value, value + 2**32] * 3
        case str() if value:
            place = chance.randrange(len(value))
            others += [value[:place] + ("0" if value[place] != "0" else "1") + value[place + 1 :]] * 8
            others += [value[:-1], value + "0", value.upper()] * 2
        case list() if value:
            others += [value[1:], [*value, value[0]], value[::-1]] * 4
        case dict() if value:
            others += [dict(list(value.items())[1:]), {**value, "more": 1}] * 6
    return chance.choice([other for other in others if json.dumps(other) != json.dumps(value)])


def line_with_other_value(line: bytes, chance: random.Random) -> tuple[tuple[Any, ...], bytes]:
    """The line with a single value changed, renamed or left out, and the way to it."""
    changed = json.loads(line)
    way = chance.choice(list(places(changed)))
    holder: Any = changed
    for step in way[:-1]:
        holder = holder[step]
    if isinstance(holder, dict) and chance.random() < 0.15:
        value = holder.pop(way[-1])
        if chance.random() < 0.5:
            holder[f"{way[-1]}_"] = value
    else:
        holder[way[-1]] = mutated(holder[way[-1]], chance)
    return way, json.dumps(changed, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def _flipped(line: bytes, chance: random.Random) -> bytes:
    place = chance.randrange(len(line))
    return line[:place] + bytes((line[place] ^ 1 << chance.randrange(8),)) + line[place + 1 :]


def _dropped(line: bytes, chance: random.Random) -> bytes:
    place = chance.randrange(len(line))
    return line[:place] + line[place + 1 :]


def _doubled(line: bytes, chance: random.Random) -> bytes:
    place = chance.randrange(len(line))
    return line[:place] + line[place : place + 1] * 2 + line[place + 1 :]


def _spaced(line: bytes, chance: random.Random) -> bytes:
    place = chance.choice([place for place, byte in enumerate(line) if byte in b'{}[]:,"\n'])
    return line[:place] + chance.choice((b" ", b"\t", b"\r", b"\n", b"\0", b"\xff")) + line[place:]


def _other_value(line: bytes, chance: random.Random) -> bytes:
    return line_with_other_value(line, chance)[1]


_IN_A_LINE = (
    _flipped,
    _flipped,
    _flipped,
    _dropped,
    _doubled,
    _spaced,
    _other_value,
    _other_value,
    _other_value,
)


def mutation(record: list[bytes], other: list[bytes], chance: random.Random) -> tuple[str, bytes]:
    """The record after a single change somewhere, with what was done; `other` is the record of another game.

    Most changes are near the beginning, since what comes before them has to be verified too; many are in the
    header and among the last lines.
    """
    while True:
        part = chance.random()
        if part < 0.1:
            place = 0
        elif part < 0.2:
            place = len(record) - chance.randrange(1, 7)
        else:
            place = int(len(record) * chance.random() ** 4)
        what, changed = _changed(record, other, place, chance)
        if changed != record:
            return f"{what} in line {place}", b"".join(changed)


def _changed(
    record: list[bytes], other: list[bytes], place: int, chance: random.Random
) -> tuple[str, list[bytes]]:
    if chance.random() < 0.8:
        change = chance.choice(_IN_A_LINE)
        line = change(record[place], chance)
        return change.__name__, [*record[:place], line, *record[place + 1 :]]
    before, line, after = record[:place], record[place], record[place + 1 :]
    foreign = other[min(place, len(other) - 1)]
    return chance.choice(
        (
            ("a line dropped", [*before, *after]),
            ("a line doubled", [*before, line, line, *after]),
            ("two lines swapped", [*before, *after[:1], line, *after[1:]]),
            ("a line of another game inserted", [*before, foreign, line, *after]),
            ("a line of another game", [*before, foreign, *after]),
        )
    )
