"""Who may write annotations, and who sees them: all of it in one place.

While a game runs, whoever annotates it with open cards would help a player, and whoever annotates it at all would
disturb the others. So until it has finished only arbiters write, and only arbiters see what arbiters have published;
for everybody else there is nothing, whether there is something or not. The key that set the game up counts for
nothing here: it often belongs to somebody who plays. Once the game has finished, everybody with a name may write: its
seats, its spectators, and every key that may see the game. What is published is then there for all who may see the
game, notes of its time included. A draft is seen by nobody but its author, arbiters and operators included.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from replay.annotations.book import AnnotationBook


@dataclass(frozen=True, slots=True)
class Reader:
    """Somebody who may see the game.

    Attributes:
        holder: what sets are owned under, such as `seat:1` or the id of a key; None for who has no name here.
        arbitrates: whether they may see everything of a running game.
    """

    holder: str | None = None
    arbitrates: bool = False


def may_write(reader: Reader, *, is_over: bool) -> bool:
    """Whether somebody may write now."""
    return reader.holder is not None and (is_over or reader.arbitrates)


def may_see_published(reader: Reader, *, is_over: bool) -> bool:
    """Whether published sets are there for somebody now."""
    return is_over or reader.arbitrates


def visible(
    book: AnnotationBook, owners: Mapping[str, str], reader: Reader, *, is_over: bool
) -> AnnotationBook:
    """What somebody sees of a game's sets; `owners` has the holder of each.

    Whoever may not see what is published sees nothing at all: who wrote while they were entitled to has their
    drafts back when the game has finished.
    """
    shown = AnnotationBook(book.game)
    if not may_see_published(reader, is_over=is_over):
        return shown
    for each in book.sets:
        is_own = reader.holder is not None and owners.get(each.id) == reader.holder
        for entry in each.entries if is_own else each.entries[: each.published]:
            shown.append(entry)
    return shown
