"""What a perspective could know for certain, as lines to read."""

from collections.abc import Iterable, Iterator

from events.domain_events import UNKNOWN_CARD, Card
from events.rules.state import GameState
from replay.commentary import Commentary
from replay.knowledge import Bounds, CardCount, Knowledge
from replay.table_text import Line, card_piece

_NAME = 14
_WIDTH = 80
_WIDEST = 8
_PLACES = {
    "copies": "deck",
    "own_hand": "own",
    "other_hands": "hands",
    "fields": "fields",
    "aside": "aside",
    "revealed": "open",
    "coins": "coins",
    "discarded": "discard",
    "boxed": "out",
    "fans": "fans",
    "unseen": "unseen",
}


def knowledge_pane(tell: Commentary, state: GameState, told: Knowledge) -> list[Line]:
    """Where the cards of each kind are, what the other hands and the draw pile hold, and what has passed."""
    lines: list[Line] = [*_counts(tell, told.cards), []]
    for hand in told.other_hands:
        who = tell.player(state, hand.seat)
        lines.append(
            [(f"{who}: ", "bold"), (tell.count("cards", hand.size) if hand.size else "no cards", "")]
        )
        if any(card != UNKNOWN_CARD for card in hand.places):
            lines.append([("  front first: ", "dim"), (" ".join(map(tell.names.short, hand.places)), "")])
        lines += _bounds(tell, hand.cards)
    lines.append([("Draw pile: ", "bold"), (str(told.draw_pile.size), "")])
    lines += _bounds(tell, told.draw_pile.cards)
    if any(told.unseen_coins):
        unseen = [
            f"{tell.player(state, seat)} {count}" for seat, count in enumerate(told.unseen_coins) if count
        ]
        lines.append([("Coins nobody has seen: ", "bold"), (", ".join(unseen), "")])
    if told.passed:
        lines.append([("Passed between players", "bold")])
    for each in told.passed:
        way = f"  {tell.player(state, each.giver)} → {tell.player(state, each.taker)}: "
        lines.append([(way, ""), (tell.names.count(each.count, each.card), "")])
    return lines


def _counts(tell: Commentary, cards: Iterable[CardCount]) -> Iterator[Line]:
    counted = list(cards)
    shown = [name for name in _PLACES if any(getattr(each, name) for each in counted)]
    if not shown:
        yield [("No card has been dealt yet.", "")]
        return
    column = min(_WIDEST, (_WIDTH - _NAME) // len(shown))
    yield [("".join([" " * _NAME, *(f"{_PLACES[name][: column - 1]:>{column}}" for name in shown)]), "dim")]
    for each in counted:
        name, style = card_piece(tell, each.card)
        numbers = "".join(f"{getattr(each, place) or '·':>{column}}" for place in shown)
        yield [(f"{name[: _NAME - 1]:{_NAME}}", style), (numbers, "")]


def _bounds(tell: Commentary, cards: Iterable[Bounds]) -> Iterator[Line]:
    """So many of each card at least, as far as any is certain."""
    certain = [(each.at_least, each.card) for each in cards if each.at_least]
    if certain:
        yield [("  holds at least ", "dim"), (tell.listed(_named(tell, certain)), "")]


def _named(tell: Commentary, counted: Iterable[tuple[int, Card]]) -> list[str]:
    return [tell.names.count(count, card) for count, card in counted]
