"""The table at one version as text for 80 columns: lines of styled pieces, still without any terminal."""

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from itertools import groupby
from typing import Final

from events.domain_events import UNKNOWN_CARD, Card
from events.log.codec import event_type
from events.log.disclosure import viewer_name
from events.rules.catalogues.catalogue import Catalogue
from events.rules.definition.rule_system import Rules
from events.rules.systems.the_duel.table import DuelState
from events.rules.table.state import Field, GameState, OpenOffer
from events.rules.table.waiting import waiting_for
from replay.commentary import Commentary
from replay.commentary.cells import cells
from replay.commentary.texts import NAME_LENGTH, make_printable
from replay.timeline.timeline import Step, Timeline

Piece = tuple[str, str]
"""A text and its style: the name of a style, or empty."""
Line = list[Piece]

WIDTH = 80
_TURN_BEGAN: Final = "turn_began"
FIRST_DATE: Final = 31_536_000_000
"""The end of 1970, in milliseconds: a game that was played by a clock is later."""
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


def table_lines(timeline: Timeline, step: Step, language: str = "en") -> list[Line]:
    """The whole screen: what happened last, the piles, every player, the open offers."""
    tell = Commentary(timeline.header.catalogue, language)
    return [*_heading(timeline, step, tell), [], *lying_lines(tell, step.state)]


def lying_lines(tell: Commentary, state: GameState) -> list[Line]:
    """What lies on the table: the piles, every player, the open offers."""
    lines = [*_piles(tell, state), []]
    for number in range(len(state.seats)):
        lines += [*_seat(tell, state, number), []]
    offers: list[Line] = [[(offer_text(tell, state, each), "")] for each in state.offers]
    if state.offers:
        lines += wrap_units(tell.label("offers"), offers, apart="; ")
    if state.ready:
        lines += wrap_units(tell.label("ready"), [[(tell.players(state, state.ready), "")]])
    return lines if state.offers or state.ready else lines[:-1]


def catalogue_lines(tell: Commentary, catalogue: Catalogue) -> list[Line]:
    """Which catalogue a game was played with, and where its figures come from."""
    kinds = [tell.messages.say("provenance", kind) for kind in catalogue.kinds_of_provenance]
    name = f"{make_printable(catalogue.name, 60)} ({catalogue.hash()[:16]})"
    text = tell.table("catalogue", name=name, provenance=", ".join(kinds))
    return wrap_units(tell.label("catalogue"), [[(text, "")]])


def is_dated(milliseconds: int) -> bool:
    """Whether a moment of a log is a date: the clock of a simulated game begins at 0 and counts commands."""
    return milliseconds >= FIRST_DATE


def when(milliseconds: int) -> str:
    """A moment of the log, in UTC; empty where the log has no date."""
    if not is_dated(milliseconds):
        return ""
    try:
        return f"{datetime.fromtimestamp(milliseconds / 1000, UTC):%Y-%m-%d %H:%M:%S} UTC"
    except (OverflowError, ValueError, OSError):
        return f"{milliseconds} ms"


def _heading(timeline: Timeline, step: Step, tell: Commentary) -> list[Line]:
    state = step.state
    title = tell.table(
        "title",
        game=make_printable(state.game, NAME_LENGTH),
        system=make_printable(state.system, NAME_LENGTH),
        version=step.version,
        last=timeline.last,
        view=viewer_name(timeline.viewer),
    )
    lines = [*fold_text(title, "bold"), *turn_lines(tell, state, phase_of(step))]
    entry = step.form.entry
    lines.append([(f"{', '.join(filter(None, (when(entry['at']), entry['actor'])))}:", "dim")])
    return lines + fold_text(tell.sentence(state, step.event), "italic")


def turn_lines(tell: Commentary, state: GameState, phase: str) -> list[Line]:
    """The same as `turn_text`, on as many lines as it needs."""
    return fold_text(turn_text(tell, state, phase), "")


def phase_of(step: Step) -> str:
    """In which phase the turn is after an event, or that it begins."""
    return phase_after(event_type(step.event), step.state.phase)


def phase_after(event: str, phase: str) -> str:
    """The same by the type of the event, and the phase of the table after it."""
    return "beginning" if event == _TURN_BEGAN else phase


def turn_text(tell: Commentary, state: GameState, phase: str) -> str:
    """Whose turn it is, in which phase, and for whom the game waits; or how it has ended."""
    if state.status == "running" and state.paused_by:
        cases = tell.listed(map(str, state.paused_by))
        return tell.table("paused", turn=state.turn, phase=tell.phase(phase), cases=cases)
    if state.status == "running" and state.turn:
        waiting = (
            tell.messages.say("player", "dealer") if state.due else tell.players(state, waiting_for(state))
        )
        return tell.table("turn", turn=state.turn, phase=tell.phase(phase), waiting=waiting)
    if state.result is not None and not state.result.winners:
        return tell.table("over.nobody")
    if state.result is not None:
        return tell.table("over", winners=tell.players(state, state.result.winners))
    return tell.table("not_begun")


def _piles(tell: Commentary, state: GameState) -> list[Line]:
    size = count_or_none(tell, len(state.draw_pile))
    if state.exhaustions:
        size = tell.table("ran_out", cards=size, time=tell.messages.nth_time(state.exhaustions))
    lines = wrap_units(tell.label("draw_pile"), [[(size, "")]])
    known = [card for card in state.draw_pile[:6] if card != UNKNOWN_CARD]
    if known:
        lines += wrap_units(tell.label("next"), [[card_piece(tell, card)] for card in known])
    piles = open_piles(tell, state)
    for label in ("discard_pile", "out_of_play"):
        lines += wrap_units(tell.label(label), piles[label]) if label in piles else []
    for number, fan in enumerate(state.ladybohn_expansion.fans if state.ladybohn_expansion else ()):
        lines += wrap_units(tell.label("fan", number=number), [[card_piece(tell, card)] for card in fan])
    for label in ("revealed", "bonus_pile", "gifts"):
        lines += wrap_units(tell.label(label), piles[label]) if label in piles else []
    return lines


def open_piles(tell: Commentary, state: GameState) -> dict[str, list[Line]]:
    """What lies in the middle of the table besides the draw pile and the fans, each by the key of its label."""
    discards, duel = count_or_none(tell, len(state.discard_pile)), state.duel
    discard: Line = [(discards, "")]
    if state.discard_pile:
        discard = [(tell.table("on_top", cards=discards), ""), card_piece(tell, state.discard_pile[-1])]
    found = {
        "discard_pile": [discard],
        "revealed": numbered_cards(tell, state.revealed),
        "bonus_pile": [_bonus_pile(tell, duel)] if duel else [],
        "gifts": [
            [(tell.table("gift", player=tell.player(state, gift.seat)), ""), card_piece(tell, gift.variety)]
            for gift in (duel.gifts if duel else ())
        ],
        "out_of_play": runs(tell, state.box),
    }
    return {label: units for label, units in found.items() if units}


def _bonus_pile(tell: Commentary, duel: DuelState) -> Line:
    cards, discards = count_or_none(tell, len(duel.pile)), count_or_none(tell, len(duel.discards))
    return [(tell.table("bonus_pile_size", cards=cards, discards=discards), "")]


def count_or_none(tell: Commentary, cards: int) -> str:
    """The size of a pile."""
    return tell.count("cards", cards) if cards else tell.table("empty")


def _seat(tell: Commentary, state: GameState, number: int) -> list[Line]:
    def field(cards: Field) -> list[Line]:
        return runs(tell, cards) or [[(tell.table("empty"), "dim")]]

    lines = fold_text(*seat_heading(tell, state, number))
    for label, units in seat_parts(tell, state, number, field):
        lines += wrap_units(label, units)
    return lines


def seat_heading(tell: Commentary, state: GameState, number: int) -> Piece:
    """A player with seat and coins, and a mark before whose turn it is or who has won."""
    active = bool(state.turn) and state.result is None and number == state.active
    won = state.result is not None and number in state.result.winners
    mark = "> " if active else "* " if won else "  "
    return f"{mark}{_who(tell, state, number)}", "bold" if active or won else ""


def seat_parts(
    tell: Commentary, state: GameState, number: int, show_field: Callable[[Field], list[Line]]
) -> Iterator[tuple[str, list[Line]]]:
    """What lies before a player, each with its label; `show_field` gives what is shown of a field."""
    seat = state.seats[number]
    if seat.fields:
        size: Line = [(count_or_none(tell, len(seat.hand)), "")]
        seen = any(card != UNKNOWN_CARD for _, card in seat.hand)
        yield tell.label("hand"), numbered_cards(tell, seat.hand) if seen else [size]
    quota = place_of_quota_field(state, number)
    for place, field in enumerate(seat.fields):
        yield tell.label("quota" if place == quota else "field", number=place), show_field(field)
    for place in movable_misses(state, number):
        yield tell.label("may_move"), [[(tell.table("miss", field=place), "")]]
    if seat.aside:
        yield tell.label("aside"), numbered_cards(tell, seat.aside)
    for label, text in bonus_parts(tell, state, number):
        yield label, [[(text, "")]]


def _who(tell: Commentary, state: GameState, number: int) -> str:
    """A player with seat and coins."""
    seat = state.seats[number]
    if not seat.kind:
        return tell.table("free", seat=number)
    player = tell.player_and_kind(state, number)
    if not seat.fields:
        return tell.table("player", player=player, seat=number)
    coins = tell.count("coins", len(seat.coins)) if seat.coins else tell.table("none")
    return tell.table("player_with_coins", player=player, seat=number, coins=coins)


def bonus_parts(tell: Commentary, state: GameState, number: int) -> Iterator[tuple[str, str]]:
    """The label and the text of the bonus cards that a player has."""
    if state.duel is not None:
        own = state.duel.seats[number]
        for label, cards in (("bonus", own.bonus), ("claimed", own.claimed)):
            if cards:
                yield tell.label(label), tell.names.bonus_cards(cards)


def place_of_quota_field(state: GameState, seat: int) -> int | None:
    """The number of the seat's quota field, if it has it."""
    owned = state.ladybohn_expansion is not None and state.ladybohn_expansion.quota == seat
    return len(state.seats[seat].fields) - 1 if owned else None


def meter(rules: Rules | None, field: Field) -> tuple[int | None, int | None]:
    """What a field pays by its beanometer, and how many beans are missing to more; None where there is no such."""
    pay = () if rules is None or not field else rules.pay.get(field[-1], ())
    if len(field) >= len(pay) or not any(pay):
        return None, None
    coins = pay[len(field)]
    more = next((size for size in range(len(field), len(pay)) if pay[size] > coins), None)
    return coins, None if more is None else more - len(field)


def movable_misses(state: GameState, seat: int) -> list[int]:
    """The fields on which a trade has left the seat a move of a miss."""
    moves = state.ladybohn.moves if state.ladybohn is not None else ()
    return [field for owner, field in moves if owner == seat]


def offer_text(tell: Commentary, state: GameState, offer: OpenOffer) -> str:
    """An open offer: who makes it to whom, and what for what."""
    given, wanted = tell.sides(state, offer)
    partner = tell.messages.say("player", "everybody") if offer.to is None else tell.player(state, offer.to)
    return tell.table(
        "offer",
        offer=offer.number,
        player=tell.player(state, offer.seat),
        partner=partner,
        given=tell.listed(given),
        wanted=tell.listed(wanted),
    )


# --- pieces ------------------------------------------------------------------------------------------------


def card_piece(tell: Commentary, card: Card) -> Piece:
    """A card by its short name, in the colour of its variety."""
    return tell.names.short(card), _STYLES.get(tell.names.variety(card), "cyan")


def numbered_cards(tell: Commentary, cards: Iterable[tuple[int, Card]]) -> list[Line]:
    """Cards with the numbers by which commands name them."""
    return [[(f"{number} ", "dim"), card_piece(tell, card)] for number, card in cards]


def runs(tell: Commentary, cards: Iterable[Card]) -> list[Line]:
    """Cards in their order, neighbours of a kind counted."""
    return [[(f"{len([*run])} ", ""), card_piece(tell, card)] for card, run in groupby(cards)]


def wrap_units(label: str, units: list[Line], apart: str = ", ", width: int = WIDTH) -> list[Line]:
    """A label and what belongs to it, on as many lines as that needs; a unit is broken only if it must be."""
    lines: list[Line] = [[(f"{label:<{_INDENT}}", "dim")]]
    used = _INDENT
    for place, unit in enumerate(units):
        ending = apart if place + 1 < len(units) else ""
        size = sum(cells(text) for text, _ in unit) + len(ending)
        if used + size > width and used > _INDENT:
            lines.append([(" " * _INDENT, "")])
            used = _INDENT
        if used + size > width:
            text = "".join(text for text, _ in unit) + ending
            first, *rest = fold_text(text, unit[-1][1], width - _INDENT)
            lines[-1] += first
            lines += [[(" " * _INDENT, ""), *more] for more in rest]
            used = width
        else:
            lines[-1] += [*unit, (ending, "")]
            used += size
    return lines


def fold_text(text: str, style: str, width: int = WIDTH) -> list[Line]:
    """A sentence on as many lines as it needs; a word longer than a line is cut."""
    start = text[: len(text) - len(text.lstrip())]
    rows = [start]
    for word in text.split(" "):
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
