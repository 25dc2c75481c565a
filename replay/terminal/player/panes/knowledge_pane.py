"""What a perspective could know for certain, as lines to read."""

from collections.abc import Iterable, Iterator, Sequence

from events.domain_events import UNKNOWN_CARD
from events.rules.table.state import GameState
from replay.commentary import Commentary
from replay.terminal.knowledge_text import COLUMNS, NOTHING_DEALT, certain_cards, count_rows
from replay.terminal.table_text import Line, card_piece
from replay.timeline.knowledge import Bounds, CardCount, Knowledge

_NAME = 14
_COLUMNS = {**COLUMNS, "other_hands": "hands", "boxed": "out"}


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


def _counts(tell: Commentary, cards: Sequence[CardCount]) -> Iterator[Line]:
    rows = count_rows(cards, _COLUMNS, _NAME, "·")
    if not rows:
        yield [(NOTHING_DEALT, "")]
        return
    yield [(" " * _NAME + rows[0], "dim")]
    for each, numbers in zip(cards, rows[1:], strict=True):
        name, style = card_piece(tell, each.card)
        yield [(f"{name[: _NAME - 1]:{_NAME}}", style), (numbers, "")]


def _bounds(tell: Commentary, cards: Iterable[Bounds]) -> Iterator[Line]:
    certain = certain_cards(tell, cards)
    if certain:
        yield [("  holds at least ", "dim"), (tell.listed(certain), "")]
