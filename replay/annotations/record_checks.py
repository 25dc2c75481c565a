"""Checks the annotations that a record carries: their own chains, and that each is bound to an entry of this game.

They stand before the entries, so what they are bound to is known when an entry comes by, and nothing else is kept.
"""

import msgspec

from events.chain.canonical import canonical
from events.game.record import AnnotationLine
from replay.annotations.book import AnnotationBook
from replay.annotations.content import AnnotationRefused
from replay.annotations.entries import AnnotationBroken, parse_entry
from replay.records.report import Discrepancy

CHECK = "annotations"


class AnnotationChecks:
    """The annotations of one record, checked while its entries are read.

    Attributes:
        made: how often the check was made.
        book: what the record carries, once it was read.
    """

    def __init__(self, game: str) -> None:
        """Begin with the record of this game."""
        self.made = 0
        self.book = AnnotationBook(game)
        self._bound: dict[int, str] = {}

    def begin(self, lines: list[AnnotationLine]) -> None:
        """Read the annotations and check their chains.

        Raises:
            Discrepancy
        """
        last = ("", 0)
        for line in lines:
            try:
                entry = parse_entry(line.annotation, line.hash)
                self.book.append(entry)
            except (AnnotationBroken, AnnotationRefused) as broken:
                raise Discrepancy(
                    CHECK, f"after entry {last[1]} of the set {last[0]!r}: {broken}", 0
                ) from broken
            if msgspec.json.encode(line.annotation) != canonical(line.annotation):
                raise Discrepancy(CHECK, "an annotation is not written in the one way there is", 0)
            if (entry.set, entry.number) <= last:
                raise Discrepancy(CHECK, "sets stand in the order of their ids", 0)
            last = entry.set, entry.number
            version, chain_hash = entry.moment.version, entry.moment.hash
            if self._bound.setdefault(version, chain_hash) != chain_hash:
                raise Discrepancy(CHECK, f"version {version} is annotated with two chain hashes", version)
            self.made += 1

    def follow(self, version: int, chain_hash: str) -> None:
        """Hold the chain hash of an entry against the annotations of its version.

        Raises:
            Discrepancy: they are bound to another chain hash.
        """
        bound = self._bound.pop(version, chain_hash)
        if bound != chain_hash:
            raise Discrepancy(
                CHECK, f"the annotations of this version are bound to the chain hash {bound[:8]}"
            )

    def finish(self) -> None:
        """Demand that no annotation is left.

        Raises:
            Discrepancy: one is bound to a version that the record does not have.
        """
        for version in self._bound:
            raise Discrepancy(
                CHECK, f"version {version} is annotated, and the record ends before it", version
            )
