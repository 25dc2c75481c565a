"""The tables of a pack in words: what the public saw in full, and of everybody else only what differs from that."""

from collections.abc import Iterator
from typing import Final

from events.rules.table.addition import Seen
from replay.exports.evidence.document import SMALL, Block, Grid, Heading, Paragraph
from replay.exports.evidence.pack import EvidencePack, Perspective, Row, ViewedTable

_OFFERS: Final = 1000
"""The place of the open offers: behind every player, whether or not there are any."""
_SEEN: Final = {
    "draw": "taken from the draw pile",
    "bonus": "taken from the bonus pile",
    "hand": "out of the hand",
    "bonus_hand": "out of the bonus cards",
    "offers": "hand cards named in offers",
    "coins": "coins",
}
_Key = tuple[int, str, int]
"""Where a row stands: which group, its label, and which of several with that label."""
_Rows = dict[_Key, str]


def tables(pack: EvidencePack) -> Iterator[Block]:
    """The tables before and after the disputed entry, of every perspective."""
    if not pack.perspectives:
        return
    yield Heading("The table before and after it")
    public = pack.perspectives[0]
    for each in pack.perspectives:
        yield Heading(_title(each.viewer), SMALL)
        beyond = None if each is public else public
        rows = (*_seen_rows(each, beyond), *_known_rows(each, beyond))
        yield Grid(("", "", "before", "after"), rows) if rows else Paragraph("Nothing else.")


def seen_text(seen: tuple[Seen, ...]) -> str:
    """What has been seen, with the cards."""
    found = []
    for each in seen:
        what = _SEEN[each.what] if each.seat is None else f"{_SEEN[each.what]} of seat {each.seat}"
        found.append(f"{what}: {', '.join(each.cards)}" if each.cards else what)
    return "; ".join(found) or "nothing"


def _title(viewer: str) -> str:
    named = {
        "public": "What everybody could see, and know for certain",
        "all": "The whole table, hidden cards and all",
    }
    return named.get(viewer, f"What {viewer} saw and could know besides")


def _seen_rows(perspective: Perspective, public: Perspective | None) -> Iterator[tuple[str, ...]]:
    """The rows of a perspective, those left out that are like the public's."""
    before, after = _table(perspective.before), _table(perspective.after)
    like = (_table(public.before), _table(public.after)) if public is not None else None
    last = ""
    for key in _beyond(before, after, like):
        whose = "" if key[0] in {0, _OFFERS} else f"seat {key[0] - 1}"
        yield ("" if whose == last else whose, key[1], *_both(before.get(key), after.get(key)))
        last = whose


def _known_rows(perspective: Perspective, public: Perspective | None) -> Iterator[tuple[str, ...]]:
    """What was known for certain, likewise."""
    before, after = _knowledge(perspective.before), _knowledge(perspective.after)
    like = (_knowledge(public.before), _knowledge(public.after)) if public is not None else None
    for place, key in enumerate(_beyond(before, after, like)):
        yield ("" if place else "known", key[1], *_both(before.get(key), after.get(key)))


def _beyond(before: _Rows, after: _Rows, like: tuple[_Rows, _Rows] | None) -> Iterator[_Key]:
    """The rows of two tables that are not like those of two others."""
    for key in _merge_keys(before, after):
        if like is None or (before.get(key), after.get(key)) != (like[0].get(key), like[1].get(key)):
            yield key


def _both(before: str | None, after: str | None) -> tuple[str, str]:
    """Both sides; what stays as it is stands once."""
    return before or "", "the same" if before and before == after else after or ""


def _table(sight: ViewedTable | None) -> _Rows:
    """The rows of a table: the piles are group 0, then come the players, and the offers."""
    found: _Rows = {}
    for place, group in enumerate(sight.shown if sight is not None else ()):
        if group.heading:
            found[place, "player", 0] = group.heading.lstrip(">* ")
        found |= _key_rows(place if group.heading or not place else _OFFERS, group.rows)
    return found


def _knowledge(sight: ViewedTable | None) -> _Rows:
    return _key_rows(0, sight.known if sight is not None else ())


def _key_rows(place: int, rows: tuple[Row, ...]) -> _Rows:
    found: _Rows = {}
    for label, text in rows:
        found[place, label, sum(each[1] == label for each in found)] = text
    return found


def _merge_keys(before: _Rows, after: _Rows) -> list[_Key]:
    """The keys of both, group by group; what is there no more stands behind what is."""
    order = {key: place for place, key in enumerate({**after, **before})}
    return sorted(order, key=lambda key: (key[0], order[key]))
