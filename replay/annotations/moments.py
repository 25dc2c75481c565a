"""Whether annotations are bound to a game: each to a version that it has, with the chain hash there."""

from collections.abc import Mapping

from replay.annotations.book import AnnotationBook
from replay.annotations.entries import AnnotationEntry
from replay.annotations.files import Binding


class Unbound(Exception):
    """Annotations are about another game, or about a version that this one does not have; the message says which."""


def check_binding(binding: Binding, game: Binding) -> None:
    """Demand that a file is about this game.

    Raises:
        Unbound
    """
    if binding.game != game.game:
        raise Unbound(f"these annotations are about the game {binding.game}, not about {game.game}")
    if binding.hash != game.hash:
        reason = (
            f"these annotations are about another game of the id {game.game}: its first chain hash differs"
        )
        raise Unbound(reason)


def check_moment(entry: AnnotationEntry, hashes: Mapping[int, str]) -> None:
    """Demand that an entry is bound to this game's chain; `hashes` has it by version.

    Raises:
        Unbound
    """
    version, chain_hash = entry.moment.version, entry.moment.hash
    if version not in hashes:
        raise Unbound(f"the game has no version {version}")
    if hashes[version] != chain_hash:
        raise Unbound(f"at version {version} the game has another chain hash than the one annotated")


def check_bound(binding: Binding, book: AnnotationBook, game: Binding, hashes: Mapping[int, str]) -> None:
    """Demand that a file is about this game, all of it.

    Raises:
        Unbound
    """
    check_binding(binding, game)
    for entry in book.entries:
        check_moment(entry, hashes)
