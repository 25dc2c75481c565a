"""What a perspective could know for certain, as lines to read."""

from collections.abc import Iterable, Iterator

from events.domain_events import UNKNOWN_CARD, Card
from events.rules.table.state import GameState
from replay.commentary import Commentary
from replay.terminal.table_text import Line, card_piece
from replay.timeline.knowledge import Bounds, CardCount, Knowledge

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


def knowledge_pane(tell: Commentary, state: GameState, knowledge: Knowledge) -> list[Line]:
    """Where the cards of each kind are, what the other hands and the draw pile hold, and what has passed."""
    lines: list[Line] = [*_counts(tell, knowledge.cards), []]
    for hand in knowledge.other_hands:
        who = tell.player(state, hand.seat)
        lines.append(
            [(f"{who}: ", "bold"), (tell.count("cards", hand.size) if hand.size else "no cards", "")]
        )
        if any(card != UNKNOWN_CARD for card in hand.places):
            lines.append([("  front first: ", "dim"), (" ".join(map(tell.names.short, hand.places)), "")])
        lines += _bounds(tell, hand.cards)
    lines.append([("Draw pile: ", "bold"), (str(knowledge.draw_pile.size), "")])
    lines += _bounds(tell, knowledge.draw_pile.cards)
    if any(knowledge.unseen_coins):
        unseen = [
            f"{tell.player(state, seat)} {count}"
            for seat, count in enumerate(knowledge.unseen_coins)
            if count
        ]
        lines.append([("Coins nobody has seen: ", "bold"), (", ".join(unseen), "")])
    if knowledge.passed:
        lines.append([("Passed between players", "bold")])
    for each in knowledge.passed:
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
        yield [("  holds at least ", "dim"), (tell.listed(_named_counts(tell, certain)), "")]


def _named_counts(tell: Commentary, counted: Iterable[tuple[int, Card]]) -> list[str]:
    return [tell.names.count(count, card) for count, card in counted]
