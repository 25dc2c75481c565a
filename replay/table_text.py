"""The table at one version as text for 80 columns: lines of styled pieces, still without any terminal."""

from collections.abc import Iterable
from datetime import UTC, datetime
from itertools import groupby
from unicodedata import combining, east_asian_width

from events import domain_events as e
from events.disclosure import viewer_name
from events.domain_events import UNKNOWN_CARD, Card
from events.rules.duel_state import DuelSeat, DuelState
from events.rules.legal import waiting_for
from events.rules.state import GameState, OpenOffer, Seat
from replay.describe import describe, phase_name, revealed_cards
from replay.safe_text import safe
from replay.timeline import Step, Timeline
from replay.words import Words, counted, kind, listed, player, times

Piece = tuple[str, str]
"""A text and its style: the name of a style, or empty."""
Line = list[Piece]

WIDTH = 80
_INDENT = 15
_STYLES = {
    "blue": "blue",
    "chili": "red",
    "stink": "magenta",
    "green": "green",
    "soy": "yellow",
    "black_eyed": "bright_black",
    "red": "bright_red",
    "garden": "bright_green",
    UNKNOWN_CARD: "dim",
}


def table_lines(timeline: Timeline, step: Step) -> list[Line]:
    """The whole screen: what happened last, the piles, every player, the open offers."""
    words, state = Words(timeline.header.catalogue), step.state
    lines = [*_heading(timeline, step, words), []]
    lines += [*_piles(words, state), []]
    for number, seat in enumerate(state.seats):
        lines += [*_seat(words, state, number, seat), []]
    lines += _wrapped("offers", [[(_offer(words, state, each), "")] for each in state.offers], apart="; ")
    return lines if state.offers else lines[:-2]


def when(milliseconds: int) -> str:
    """A moment of the log, in UTC."""
    try:
        return f"{datetime.fromtimestamp(milliseconds / 1000, UTC):%Y-%m-%d %H:%M:%S} UTC"
    except (OverflowError, ValueError, OSError):
        return f"{milliseconds} ms"


def _heading(timeline: Timeline, step: Step, words: Words) -> list[Line]:
    state = step.state
    view = viewer_name(timeline.viewer)
    game = f"{safe(state.game, 40)}, {safe(state.system, 40)}"
    title = f"{game}: version {step.version} of {timeline.last}, as {view}"
    lines = _folded(title, "bold")
    if state.status == "running" and state.turn:
        waiting = listed(player(state, seat) for seat in waiting_for(state))
        phase = "beginning" if isinstance(step.event, e.TurnBegan) else phase_name(state.phase)
        turn = f"Turn {state.turn}, {phase}; waiting for {'the dealer' if state.due else waiting}."
        lines += _folded(turn, "")
    elif state.result is not None:
        winners = listed(player(state, seat) for seat in state.result.winners)
        lines += _folded(f"The game is over; won by {winners}.", "")
    else:
        lines.append([("The game has not begun.", "")])
    entry = step.form.entry
    lines.append([(f"{when(entry['at'])}, {entry['actor']}:", "dim")])
    return lines + _folded(describe(words, state, step.event), "italic")


def _piles(words: Words, state: GameState) -> list[Line]:
    out = f", run out {times(state.exhaustions)}" if state.exhaustions else ""
    discard: Line = [(counted_or_none(len(state.discard_pile)), "")]
    if state.discard_pile:
        discard += [(", on top: ", ""), _card(words, state.discard_pile[-1])]
    lines = _wrapped("draw pile", [[(counted_or_none(len(state.draw_pile)) + out, "")]])
    known = [card for card in state.draw_pile[:6] if card != UNKNOWN_CARD]
    if known:
        lines += _wrapped("  next", [[_card(words, card)] for card in known])
    lines += _wrapped("discard pile", [discard])
    if state.box:
        lines += _wrapped("out of play", _runs(words, state.box))
    for number, fan in enumerate(state.lady_bohn.fans if state.lady_bohn else ()):
        lines += _wrapped(f"fan {number}", [[_card(words, card)] for card in fan])
    lines += _wrapped("revealed", _numbered(words, state.revealed)) if state.revealed else []
    return lines + (_gifts_and_bonus_pile(words, state, state.duel) if state.duel else [])


def _gifts_and_bonus_pile(words: Words, state: GameState, duel: DuelState) -> list[Line]:
    pile = f"{counted_or_none(len(duel.pile))}, {counted_or_none(len(duel.discards))} discarded"
    lines = _wrapped("bonus pile", [[(pile, "")]])
    gifts: list[Line] = [
        [(f"{player(state, gift.seat)} offered ", ""), _card(words, gift.variety)] for gift in duel.gifts
    ]
    return lines + (_wrapped("gifts", gifts) if gifts else [])


def counted_or_none(cards: int) -> str:
    """The size of a pile."""
    return counted(cards, "card") if cards else "empty"


def _seat(words: Words, state: GameState, number: int, seat: Seat) -> list[Line]:
    active = bool(state.turn) and state.result is None and number == state.active
    won = state.result is not None and number in state.result.winners
    mark = "> " if active else "* " if won else "  "
    coins = f", {counted_or_zero(len(seat.coins))}" if seat.fields else ""
    who = (
        f"{player(state, number)}{kind(seat)}, seat {number}{coins}" if seat.kind else f"seat {number}, free"
    )
    title = f"{mark}{who}"
    lines = _folded(title, "bold" if active or won else "")
    if seat.fields:
        size: Line = [(f"{counted_or_none(len(seat.hand))}", "")]
        seen = any(card != UNKNOWN_CARD for _, card in seat.hand)
        lines += _wrapped("    hand", _numbered(words, seat.hand) if seen else [size])
    quota = place_of_quota_field(state, number)
    for place, field in enumerate(seat.fields):
        lines += _wrapped(
            f"    {'quota' if place == quota else 'field'} {place}",
            _runs(words, field) or [[("empty", "dim")]],
        )
    lines += [line for field in _movable(state, number) for line in _wrapped("    may move", [[(field, "")]])]
    lines += _wrapped("    aside", _numbered(words, seat.aside)) if seat.aside else []
    return lines + (_bonus(words, state.duel.seats[number]) if state.duel else [])


def _bonus(words: Words, own: DuelSeat) -> list[Line]:
    lines = _wrapped("    bonus", [[(words.bonus_cards(own.bonus), "")]]) if own.bonus else []
    return lines + (_wrapped("    claimed", [[(words.bonus_cards(own.claimed), "")]]) if own.claimed else [])


def place_of_quota_field(state: GameState, seat: int) -> int | None:
    """The number of the seat's quota field, if it has it."""
    owned = state.lady_bohn is not None and state.lady_bohn.quota == seat
    return len(state.seats[seat].fields) - 1 if owned else None


def _movable(state: GameState, seat: int) -> list[str]:
    """The fields on which a trade has left the seat a move of a miss."""
    moves = state.ladybohn.moves if state.ladybohn is not None else ()
    return [f"a miss of field {field}" for owner, field in moves if owner == seat]


def counted_or_zero(coins: int) -> str:
    """How many coins."""
    return counted(coins, "coin") if coins else "no coins"


def _offer(words: Words, state: GameState, offer: OpenOffer) -> str:
    to = "everybody" if offer.to is None else player(state, offer.to)
    given = [words.cards(offer.hand_cards)] if offer.hand_cards else []
    given += revealed_cards(words, state, offer.revealed)
    wanted = words.wanted(offer.want) + revealed_cards(words, state, offer.want_revealed)
    given += ["a promise to spare them"] if offer.spare else []
    wanted += ["a promise to be spared"] if offer.want_spared else []
    return f"{offer.number}: {player(state, offer.seat)} to {to}, {listed(given)} for {listed(wanted)}"


# --- pieces ------------------------------------------------------------------------------------------------


def _card(words: Words, card: Card) -> Piece:
    return words.short(card), _STYLES.get(words.variety(card), "cyan")


def _numbered(words: Words, cards: Iterable[tuple[int, Card]]) -> list[Line]:
    return [[(f"{number} ", "dim"), _card(words, card)] for number, card in cards]


def _runs(words: Words, cards: Iterable[Card]) -> list[Line]:
    return [[(f"{len([*run])} ", ""), _card(words, card)] for card, run in groupby(cards)]


def _wrapped(label: str, units: list[Line], apart: str = ", ") -> list[Line]:
    """A label and what belongs to it, on as many lines as that needs; a unit is broken only if it must be."""
    lines: list[Line] = [[(f"{label:<{_INDENT}}", "dim")]]
    used = _INDENT
    for place, unit in enumerate(units):
        ending = apart if place + 1 < len(units) else ""
        size = sum(cells(text) for text, _ in unit) + len(ending)
        if used + size > WIDTH and used > _INDENT:
            lines.append([(" " * _INDENT, "")])
            used = _INDENT
        if used + size > WIDTH:
            text = "".join(text for text, _ in unit) + ending
            folded = _folded(text, unit[-1][1], WIDTH - _INDENT)
            lines[-1] += folded[0]
            lines += [[(" " * _INDENT, ""), *more] for more in folded[1:]]
            used = WIDTH
        else:
            lines[-1] += [*unit, (ending, "")]
            used += size
    return lines


def _folded(text: str, style: str, width: int = WIDTH) -> list[Line]:
    """A sentence on as many lines as it needs; a word longer than a line is cut."""
    start = text[: len(text) - len(text.lstrip())]
    rows = [start]
    for word in text.split():
        joined = rows[-1] + (" " if rows[-1].strip() else "") + word
        if cells(joined) <= width:
            rows[-1] = joined
            continue
        rest = word
        while cells(rest) > width:
            cut = next(end for end in range(len(rest), 0, -1) if cells(rest[:end]) <= width)
            rows.append(rest[:cut])
            rest = rest[cut:]
        rows.append(rest)
    return [[(row, style)] for row in rows if row.strip()] or [[("", style)]]


def cells(text: str) -> int:
    """How many columns a text takes on a terminal."""
    return sum(0 if combining(letter) else 2 if east_asian_width(letter) in "WF" else 1 for letter in text)
