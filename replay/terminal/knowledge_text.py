"""What a viewer could know as text for 80 columns, below the table."""

from collections.abc import Iterable, Mapping, Sequence
from textwrap import wrap
from typing import Final

from events.domain_events import UNKNOWN_CARD, Card
from events.rules.catalogues.catalogue import Catalogue
from events.rules.table.state import GameState
from replay.commentary import Commentary
from replay.commentary.cards import count_noun
from replay.terminal.table_text import WIDTH, Line
from replay.timeline.knowledge import Bounds, CardCount, Knowledge

_INDENT: Final = 15
_NAME: Final = 17
_WIDEST: Final = 8
COLUMNS: Final = {
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
NOTHING_DEALT: Final = "No card has been dealt yet."


def knowledge_lines(catalogue: Catalogue, state: GameState, told: Knowledge) -> list[Line]:
    """What can be known for certain: where the cards are, the other hands, the draw pile, what has passed."""
    tell = Commentary(catalogue)
    lines: list[Line] = [[(f"What {told.viewer} could know for certain", "bold")], []]
    lines += _counts(tell, told)
    for hand in told.other_hands:
        holds = certain_cards(tell, hand.cards)
        holds += [
            f"{count} of the {tell.names.card(variety)} family"
            for variety, count in hand.varieties.items()
            if count > _of_variety(catalogue, hand.certain, variety)
        ]
        known = any(card != UNKNOWN_CARD for card in hand.places)
        front = f"; front to back: {' '.join(map(tell.names.short, hand.places))}" if known else ""
        lines += _label_lines(f"hand, seat {hand.seat}", f"{_holding(tell, hand.size, holds)}{front}")
    certain = certain_cards(tell, told.draw_pile.cards)
    lines += _label_lines("draw pile", _holding(tell, told.draw_pile.size, certain))
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
    rows = count_rows(told.cards, COLUMNS, _NAME, ".")
    if not rows:
        return [[(NOTHING_DEALT, "")]]
    lines: list[Line] = [[(f"{'':{_NAME}}{rows[0]}", "dim")]]
    for each, numbers in zip(told.cards, rows[1:], strict=True):
        lines.append([(f"{tell.names.short(each.card)[: _NAME - 1]:{_NAME}}{numbers}", "")])
    return [*lines, []]


def count_rows(cards: Sequence[CardCount], columns: Mapping[str, str], name: int, none: str) -> list[str]:
    """Where the cards are, in columns behind a name so wide: the headings, then a row for each card; or nothing."""
    shown = [place for place in columns if any(getattr(each, place) for each in cards)]
    if not shown:
        return []
    width = min(_WIDEST, (WIDTH - name) // len(shown))
    head = "".join(f"{columns[place][: width - 1]:>{width}}" for place in shown)
    return [head, *("".join(f"{getattr(each, place) or none:>{width}}" for place in shown) for each in cards)]


def certain_cards(tell: Commentary, cards: Iterable[Bounds]) -> list[str]:
    """So many of each card at least, as far as any is certain."""
    return [tell.names.count(each.at_least, each.card) for each in cards if each.at_least]


def _holding(tell: Commentary, size: int, certain: Sequence[str]) -> str:
    return (
        f"{count_noun(size, 'card')}; holds {tell.listed(certain) if certain else 'nothing that is certain'}"
    )


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
