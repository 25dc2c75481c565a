"""What a viewer could know as text for 80 columns, below the table."""

from collections.abc import Iterable, Mapping
from textwrap import wrap
from typing import Final

from events.domain_events import UNKNOWN_CARD, Card
from events.rules.catalogues.catalogue import Catalogue
from events.rules.table.state import GameState
from replay.commentary import Commentary
from replay.commentary.english import count_noun
from replay.terminal.table_text import WIDTH, Line
from replay.timeline.knowledge import Bounds, Knowledge

_INDENT: Final = 15
_NAME: Final = 17
_WIDEST: Final = 8
_COLUMNS: Final = {
    "copies": "deck",
    "own_hand": "own",
    "other_hands": "others",
    "fields": "fields",
    "aside": "aside",
    "revealed": "open",
    "coins": "coins",
    "discarded": "discard",
    "boxed": "box",
    "fans": "fans",
    "unseen": "unseen",
}
"""Where cards can be, with the heading of its column; a column of noughts is left out."""


def knowledge_lines(catalogue: Catalogue, state: GameState, told: Knowledge) -> list[Line]:
    """What can be known for certain: where the cards are, the other hands, the draw pile, what has passed."""
    tell = Commentary(catalogue)
    lines: list[Line] = [[(f"What {told.viewer} could know for certain", "bold")], []]
    lines += _counts(tell, told)
    for hand in told.other_hands:
        holds = [tell.names.count(each.at_least, each.card) for each in hand.cards if each.at_least]
        holds += [
            f"{count} of the {tell.card(variety)} family"
            for variety, count in hand.varieties.items()
            if count > _of_variety(catalogue, hand.certain, variety)
        ]
        known = any(card != UNKNOWN_CARD for card in hand.places)
        text = [
            f"{count_noun(hand.size, 'card')}; holds {tell.listed(holds) if holds else 'nothing that is certain'}"
        ]
        text += [f"front to back: {' '.join(map(tell.names.short, hand.places))}"] if known else []
        lines += _label_lines(f"hand, seat {hand.seat}", "; ".join(text))
    lines += _label_lines("draw pile", _pile(tell, told.draw_pile.size, told.draw_pile.cards))
    if any(told.unseen_coins):
        coins = [
            f"{count_noun(count, 'coin')} of {tell.player(state, seat)}"
            for seat, count in enumerate(told.unseen_coins)
            if count
        ]
        lines += _label_lines("coins", f"nobody has seen {tell.listed(coins)}")
    if told.bonus_unseen:
        lines += _label_lines("bonus cards", f"{len(told.bonus_unseen)} not seen")
    return lines + _passed_lines(tell, state, told)


def _counts(tell: Commentary, told: Knowledge) -> list[Line]:
    columns = [name for name in _COLUMNS if any(getattr(each, name) for each in told.cards)]
    if not columns:
        return [[("No card has been dealt yet.", "")]]
    width = min(_WIDEST, (WIDTH - _NAME) // len(columns))
    head = "".join(f"{_COLUMNS[name][: width - 1]:>{width}}" for name in columns)
    lines: list[Line] = [[(f"{'':{_NAME}}{head}", "dim")]]
    for each in told.cards:
        numbers = "".join(f"{getattr(each, name) or '.':>{width}}" for name in columns)
        lines.append([(f"{tell.names.short(each.card)[: _NAME - 1]:{_NAME}}{numbers}", "")])
    return [*lines, []]


def _pile(tell: Commentary, size: int, cards: Iterable[Bounds]) -> str:
    holds = [tell.names.count(each.at_least, each.card) for each in cards if each.at_least]
    return f"{count_noun(size, 'card')}; holds {tell.listed(holds) if holds else 'nothing that is certain'}"


def _of_variety(catalogue: Catalogue, cards: Mapping[Card, int], variety: str) -> int:
    return sum(cards.get(bean.card, 0) for bean in catalogue.beans if bean.variety == variety)


def _passed_lines(tell: Commentary, state: GameState, told: Knowledge) -> list[Line]:
    ways: dict[tuple[int, int], list[str]] = {}
    for each in told.passed:
        ways.setdefault((each.giver, each.taker), []).append(tell.names.count(each.count, each.card))
    return [
        line
        for (giver, taker), cards in ways.items()
        for line in _label_lines(
            "passed", f"{tell.player(state, giver)} to {tell.player(state, taker)}: {tell.listed(cards)}"
        )
    ]


def _label_lines(label: str, text: str) -> list[Line]:
    rows = wrap(text, WIDTH - _INDENT, break_long_words=True) or [""]
    return [[(f"{label if row == 0 else '':{_INDENT}}", "dim"), (part, "")] for row, part in enumerate(rows)]
