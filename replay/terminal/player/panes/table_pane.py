"""The table in as many lines as there are: with everything in full where it fits, else two lines for each player."""

from collections.abc import Callable, Iterator, Sequence

from events.domain_events import UNKNOWN_CARD
from events.rules.definition.rule_system import Rules
from events.rules.table.state import Field, GameState, Seat
from replay.commentary import Commentary
from replay.terminal.player.panes.pieces import align_ends, crop, join_lines, line_width, pad
from replay.terminal.table_text import (
    Line,
    bonus_parts,
    card_piece,
    count_or_none,
    meter,
    offer_text,
    open_piles,
    runs,
    seat_heading,
    seat_parts,
    wrap_units,
)

MOST_OFFERS = 3
"""Lines of open offers where space is scarce."""
_NAME = 36
"""Columns for who a player is, before the fields, where all stand on one line."""
_LONGEST_NAME, _SHORTEST_NAME = 24, 4
"""Letters of a card's name at most and at least, where all of a hand stand on one line."""


def table_pane(
    tell: Commentary,
    rules: Rules | None,
    state: GameState,
    width: int,
    height: int,
    *,
    clock: Sequence[str] = (),
) -> list[Line]:
    """Piles, players, open offers and what the clock says in at most so many lines of this width."""
    roomy = [*_piles(tell, state, width), [], *_seats(_full_seat, tell, rules, state, width, between=True)]
    roomy += _offers(tell, state, width, len(state.offers))
    on_lines: list[Line] = [[(text, "")] for text in clock]
    roomy += wrap_units(tell.label("clock"), on_lines[:1], width=width) if clock else []
    roomy += [line for unit in on_lines[1:] for line in wrap_units("", [unit], width=width)]
    if len(roomy) <= height:
        return [crop(line, width) for line in roomy]
    dense = [line for line in roomy if line]
    if len(dense) > height:
        dense = _piles(tell, state, width, dense=True)
        dense += [*_seats(_short_seat, tell, rules, state, width), *_offers(tell, state, width, MOST_OFFERS)]
        dense += [_label(tell.label("clock"), [join_lines(on_lines, " · ")])] if clock else []
    if len(dense) > height:
        dense = [*dense[: max(height - 1, 0)], [(" … x shows the whole table", "dim")]]
    return [crop(line, width) for line in dense[:height]]


# --- piles -------------------------------------------------------------------------------------------------


def _piles(tell: Commentary, state: GameState, width: int, *, dense: bool = False) -> list[Line]:
    parts = [_label(tell.label(name), units) for name, units in _lying(tell, state)]
    for number, fan in enumerate(state.ladybohn_expansion.fans if state.ladybohn_expansion else ()):
        parts.append(_label(tell.label("fan", number=number), runs(tell, fan)))
    lines: list[Line] = []
    for part in parts:
        if lines and line_width(lines[-1]) + line_width(part) + 3 <= width:
            lines[-1] = join_lines([lines[-1], part], " · ")
        else:
            lines.append(part)
    return lines[:2] if dense else lines


def _lying(tell: Commentary, state: GameState) -> Iterator[tuple[str, list[Line]]]:
    """What lies in the middle of the table, with its label."""
    known = [card_piece(tell, card) for card in state.draw_pile[:4] if card != UNKNOWN_CARD]
    draw: Line = [(count_or_none(tell, len(state.draw_pile)), "")]
    yield "draw_pile", [draw, *([piece] for piece in known)]
    yield from open_piles(tell, state).items()


def _label(label: str, units: list[Line]) -> Line:
    return [(f"{label.strip()} ", "dim"), *join_lines(units, ", ")]


# --- players -----------------------------------------------------------------------------------------------

_Seating = Callable[[Commentary, Rules | None, GameState, int, int], list[Line]]


def _seats(
    one: _Seating,
    tell: Commentary,
    rules: Rules | None,
    state: GameState,
    width: int,
    *,
    between: bool = False,
) -> list[Line]:
    lines: list[Line] = []
    for number in range(len(state.seats)):
        lines += one(tell, rules, state, number, width)
        lines += [[]] if between else []
    return lines


def _full_seat(
    tell: Commentary, rules: Rules | None, state: GameState, number: int, width: int
) -> list[Line]:
    """A player with everything, a label for each thing."""
    parts = seat_parts(tell, state, number, lambda cards: [_field(tell, rules, cards)])
    lines = [line for label, units in parts for line in wrap_units(label, units, width=width)]
    return [[seat_heading(tell, state, number)], *lines]


def _short_seat(
    tell: Commentary, rules: Rules | None, state: GameState, number: int, width: int
) -> list[Line]:
    """A player on two lines: name and fields, hand and what lies aside."""
    seat = state.seats[number]
    if not seat.fields:
        return [[seat_heading(tell, state, number)]]
    fields = join_lines((_field(tell, rules, cards) for cards in seat.fields), " │ ")
    heading: Line = [seat_heading(tell, state, number)]
    if line_width(fields) <= width - _NAME // 2:
        room = max(min(_NAME, width - line_width(fields) - 1), 0)
        lines: list[Line] = [[*pad(heading, room), (" ", ""), *fields]]
    else:
        lines = [heading, [("   ", ""), *fields]]
    hand: Line = [(f"   {tell.label('hand').strip()} ({len(seat.hand)}) ", "dim")]
    aside: Line = []
    if seat.aside:
        aside = _label(tell.label("aside"), runs(tell, (card for _, card in seat.aside)))
    hand += _shorten(tell, seat, width - line_width(hand) - (line_width(aside) + 2 if aside else 0))
    lines.append(align_ends(hand, aside, width) if aside else hand)
    return lines + [
        [(f"   {name.strip()} ", "dim"), (text, "")] for name, text in bonus_parts(tell, state, number)
    ]


def _shorten(tell: Commentary, seat: Seat, width: int) -> Line:
    """The cards of a hand in their order, on one line: with shorter names where that is needed."""
    if all(card == UNKNOWN_CARD for _, card in seat.hand):
        return []
    pieces = [card_piece(tell, card) for _, card in seat.hand]
    line: Line = []
    for length in range(_LONGEST_NAME, _SHORTEST_NAME - 1, -1):
        line = join_lines(([(_abbreviate(text, length), style)] for text, style in pieces), " ")
        if line_width(line) <= width:
            break
    return line


def _abbreviate(name: str, length: int) -> str:
    """A name in so many letters: of each word but the last one only the first letter.

    >>> _abbreviate("male stink", 5), _abbreviate("female stink", 20), _abbreviate("black-eyed", 5)
    ('m.sti', 'female stink', 'black')
    """
    if len(name) <= length:
        return name
    *others, last = name.split()
    return ("".join(f"{word[0]}." for word in others) + last)[:length]


def _field(tell: Commentary, rules: Rules | None, cards: Field) -> Line:
    """A field with what it holds, what it pays, and how many beans are missing to the next coin."""
    if not cards:
        return [(tell.table("empty"), "dim")]
    return [*join_lines(runs(tell, cards), ", "), *_meter(rules, cards)]


def _meter(rules: Rules | None, cards: Field) -> Line:
    coins, missing = meter(rules, cards)
    return [] if coins is None else [(f" [{coins}{'' if missing is None else f' +{missing}'}]", "dim")]


def _offers(tell: Commentary, state: GameState, width: int, most: int) -> list[Line]:
    """The open offers, a line for each; the last line says how many more there are."""
    lines: list[Line] = []
    label = tell.label("offers")
    shown = state.offers if len(state.offers) <= most else state.offers[: most - 1]
    for place, offer in enumerate(shown):
        lines.append(
            [(f"{'' if place else label:{len(label)}} ", "dim"), (offer_text(tell, state, offer), "")]
        )
    if len(shown) < len(state.offers):
        lines.append([(f"{'':{len(label)}} … +{len(state.offers) - len(shown)}", "dim")])
    return [crop(line, width) for line in lines]
