"""Opening the player on a record, until the reader leaves."""

from dataclasses import dataclass

from replay.player.annotated import Annotated
from replay.player.application import Player
from replay.player.growth import Growth
from replay.player.notes import NoNotes, Notes
from replay.player.sight import sight_of
from replay.player.variations import Variations
from replay.timeline import Timeline


@dataclass(frozen=True, slots=True)
class Opening:
    """What the reader brings along.

    Attributes:
        version: where to begin.
        language: the language of the sentences.
        tokens: variations to walk through.
        annotations: a file of annotations to show.
        author: who writes into it; None where nobody does.
        growth: what reads a game that goes on; None where the record is whole.
    """

    version: int = 1
    language: str = "en"
    tokens: tuple[str, ...] = ()
    annotations: str | None = None
    author: str | None = None
    growth: Growth | None = None


def player_of(timeline: Timeline, opening: Opening) -> Player:
    """The player on a record that has an entry.

    Raises:
        FileBroken, RecordBroken, Unbound, SourceUnreadable: the annotations cannot be read, or are of another game.
    """
    notes: Notes = NoNotes()
    if opening.annotations is not None:
        notes = Annotated(timeline, opening.annotations, opening.author)
    sight = sight_of(timeline, opening.version, opening.language, notes)
    return Player(timeline, sight, Variations(opening.tokens), opening.growth)
