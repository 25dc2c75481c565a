"""Whether the games of a duplicate round were dealt alike: from their records alone, each of them verified first.

What a deal follows from stands in each game's first event: where that is the same in all of them, so is the deal, and
that can be said while they are played. Once the secret is open, the verifier has recomputed every pile, and the piles
themselves are compared: the first shuffles card by card, and how much later ones had in common.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec

from events.commands.dealing import Dealing
from events.domain_events import Card
from events.game.record import RecordBroken, read_record
from events.rules.table.state import GameState
from replay.records.report import Finding
from replay.verification.verify import Verifier

Shuffles = Mapping[tuple[str, int], tuple[Card, ...]]
"""The order of each shuffle, top card first, by pile and number."""
FIRST: Final = 1
"""The number of the shuffle of a whole deck."""


class DealtTable(msgspec.Struct, frozen=True):
    """One game of a round, as its record tells it."""

    source: str
    """Where the record was read."""
    game: str
    status: str
    findings: tuple[Finding, ...] = ()
    """Why it does not verify; empty where it does."""


class Pinned(msgspec.Struct, frozen=True):
    """What the deal of a game follows from; where it is the same in two games, so is the deal."""

    commitment: str
    dealing: Dealing | None
    system: str
    system_version: int
    engine_version: int
    players: int
    options: dict[str, str | int | bool]
    catalogue: str


class ComparedShuffle(msgspec.Struct, frozen=True):
    """A shuffle that several tables have made: of the same cards, or of cards most of which are the same."""

    pile: str
    number: int
    tables: int
    """How many of them have made it."""
    fewest: int
    most: int
    """Cards in it, at the table with fewest and at that with most."""
    common: int
    """Cards that it has at all of them: these lie in the same order there."""


class DealsReport(msgspec.Struct, frozen=True):
    """Whether games were dealt alike."""

    alike: bool
    """Whether nothing speaks against it."""
    proven: bool
    """Whether the secret is open in all of them, so that every pile was recomputed and compared."""
    round: Pinned | None
    """What all of them are dealt from; None where they differ."""
    tables: tuple[DealtTable, ...]
    shuffles: tuple[ComparedShuffle, ...] = ()
    findings: tuple[str, ...] = ()
    """What speaks against it."""


class ReadTable(msgspec.Struct, frozen=True):
    """A table with what is compared."""

    table: DealtTable
    pinned: Pinned | None = None
    """None where not even its first event could be read."""
    shuffles: dict[tuple[str, int], tuple[Card, ...]] = {}
    """Empty while its secret is closed."""


def read_table(source: str, lines: Iterable[bytes]) -> ReadTable:
    """Verify the record of one game, and keep what its deal followed from and how its piles lay."""
    try:
        header, forms = read_record(lines)
    except RecordBroken as broken:
        return ReadTable(DealtTable(source, "", "", (Finding("record", broken.version, broken.reason),)))
    verifier = Verifier(header)
    report = verifier.verify(forms)
    state = verifier.state
    table = DealtTable(source, report.game, report.status, report.findings)
    return ReadTable(table, _pinned(state) if report.entries else None, dict(verifier.laid))


def _pinned(state: GameState) -> Pinned:
    return Pinned(
        commitment=state.commitment,
        dealing=state.dealing,
        system=state.system,
        system_version=state.system_version,
        engine_version=state.engine_version,
        players=len(state.seats),
        options=state.options,
        catalogue=state.catalogue,
    )


def compare_tables(read: Sequence[ReadTable]) -> DealsReport:
    """Compare at least two tables with each other."""
    tables = tuple(each.table for each in read)
    findings = [*_broken(tables), *_twice(tables), *_differing(read)]
    shuffles = compare_shuffles([each.shuffles for each in read])
    findings += _other_cards(read)
    pinned = [each.pinned for each in read]
    is_open = all(each.status == "finished" for each in tables)
    return DealsReport(
        alike=not findings,
        proven=not findings and is_open,
        round=pinned[0] if all(each == pinned[0] for each in pinned) else None,
        tables=tables,
        shuffles=shuffles,
        findings=tuple(findings),
    )


def _broken(tables: Sequence[DealtTable]) -> Iterable[str]:
    return (f"{each.source} does not verify" for each in tables if each.findings)


def _twice(tables: Sequence[DealtTable]) -> Iterable[str]:
    counts = Counter(each.game for each in tables if each.game)
    return (f"game {game} is there {times} times" for game, times in counts.items() if times > 1)


def _differing(read: Sequence[ReadTable]) -> Iterable[str]:
    """What each table is dealt from that the first one is not."""
    known = [(each.table.source, each.pinned) for each in read if each.pinned is not None]
    of_rounds = [(source, pinned) for source, pinned in known if pinned.dealing is not None]
    for source, pinned in known:
        if pinned.dealing is None:
            yield f"{source} is of no duplicate round: it is dealt from a secret of its own"
    for source, pinned in of_rounds[1:]:
        first, expected = of_rounds[0]
        for name in Pinned.__struct_fields__:
            if getattr(pinned, name) != getattr(expected, name):
                yield f"{source} has another {_told(name)} than {first}"


def _told(name: str) -> str:
    return {"dealing": "seed of the round", "players": "number of players", "catalogue": "deck"}.get(
        name, name.replace("_", " ")
    )


def _other_cards(read: Sequence[ReadTable]) -> Iterable[str]:
    """First shuffles that are not the same, card by card, of tables that have promised the same."""
    first: dict[str, tuple[str, tuple[Card, ...]]] = {}
    for each in read:
        for (pile, number), order in each.shuffles.items():
            if number != FIRST or each.pinned != read[0].pinned:
                continue
            source, known = first.setdefault(pile, (each.table.source, order))
            if order != known:
                yield f"{each.table.source} has other cards in the first shuffle of the pile {pile} than {source}"


def compare_shuffles(tables: Sequence[Shuffles]) -> tuple[ComparedShuffle, ...]:
    """How alike the shuffles were that more than one table has made, in their order."""
    compared = []
    for pile, number in sorted({each for table in tables for each in table}):
        orders = [table[pile, number] for table in tables if (pile, number) in table]
        if len(orders) == 1:
            continue
        common = Counter(orders[0])
        for order in orders[1:]:
            common &= Counter(order)
        sizes = [len(order) for order in orders]
        compared.append(ComparedShuffle(pile, number, len(orders), min(sizes), max(sizes), common.total()))
    return tuple(compared)
