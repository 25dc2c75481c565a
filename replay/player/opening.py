"""Opening the player on a record, until the reader leaves."""

from collections.abc import Iterable

from replay.player.application import Player
from replay.player.notes import NoNotes
from replay.player.sight import sight_of
from replay.player.variations import Variations
from replay.timeline import Timeline


def player_of(timeline: Timeline, version: int, language: str, tokens: Iterable[str] = ()) -> Player:
    """The player, standing at a version."""
    return Player(timeline, sight_of(timeline, version, language, NoNotes()), Variations(tokens))


def played(timeline: Timeline, version: int, language: str, tokens: Iterable[str]) -> None:
    """Let the reader walk through a game; the mouse is left alone, so that text can be marked and copied."""
    player_of(timeline, version, language, tokens).run(mouse=False)
