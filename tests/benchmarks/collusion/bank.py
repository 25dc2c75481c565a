"""A bank of played games in figures, from which seasons are drawn: what is there already is not played again."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

import msgspec

from replay.across.left import Left
from replay.across.mapping import Mapped, map_games
from replay.across.screening.figures.game import LeftOut, ScreenedGame
from replay.across.screening.figures.observing import observe
from tests.benchmarks.collusion.playing import PlayedGames

_decode: Final = msgspec.json.Decoder(ScreenedGame).decode
_encode: Final = msgspec.json.Encoder().encode


class NotScreened(Exception):
    """A game of the bank does not verify, or says nothing."""


def fill_bank(
    folder: Path,
    games: PlayedGames,
    workers: int,
    told: Callable[[int], None] = lambda _: None,
) -> list[ScreenedGame]:
    """The games in figures, played and verified where the folder does not have them yet.

    Raises:
        NotScreened: a game does not verify, or says nothing.
    """
    path = folder / f"{games.kind}.jsonl"
    folder.mkdir(parents=True, exist_ok=True)
    there = _read(path)
    missing = replace(games, first=len(there) + 1)
    with path.open("ab") as file:
        for each in map_games(observe, missing, workers):
            game = figures_of(each)
            file.write(_encode(game) + b"\n")
            file.flush()
            there.append(game)
            told(len(there))
    return there[: games.last]


def figures_of(played: Mapped[ScreenedGame | LeftOut] | Left) -> ScreenedGame:
    """What a map over games made of one, without its moments.

    Raises:
        NotScreened: it does not verify, or says nothing.
    """
    answer = played if isinstance(played, Left) else played.answer
    if not isinstance(answer, ScreenedGame):
        raise NotScreened(str(answer))
    return msgspec.structs.replace(answer, moments=())


def _read(path: Path) -> list[ScreenedGame]:
    """What a file holds; a line that was cut off is dropped."""
    if not path.exists():
        return []
    whole = path.read_bytes()
    kept = whole[: whole.rfind(b"\n") + 1]
    if kept != whole:
        path.write_bytes(kept)
    return [_decode(line) for line in kept.splitlines()]
