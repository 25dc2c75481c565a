"""The player under test: opened on a recorded game, driven by keys, read as text."""

import asyncio
from collections.abc import Callable
from typing import Final

from rich.text import Text

from events.game.record import read_record
from events.log.disclosure import ALL
from replay.terminal.player.application import Opening, Player, open_player
from replay.terminal.player.panes.board import Board
from replay.terminal.player.panes.dialogs import Dialog, Sheet
from replay.timeline.timeline import Timeline, read_timeline
from tests.replay.commands.commands import WHOLE

NARROW, WIDE = (80, 24), (160, 50)
TIMELINE: Final[Timeline] = read_timeline(*read_record(WHOLE.read_bytes().splitlines(keepends=True)), ALL)


def screen_of(player: Player) -> str:
    """What stands on the screen, without colours; the lines without the blanks at their ends."""
    shown = player.screen.query_one(Sheet if isinstance(player.screen, Dialog) else Board)
    rows = (shown.render_line(row) for row in range(player.size.height))
    return "\n".join(Text.assemble(*(segment.text for segment in row)).plain.rstrip() for row in rows)


def after(
    *keys: str,
    size: tuple[int, int] = NARROW,
    opening: Opening = Opening(140),  # noqa: B008 - a value
    timeline: Timeline = TIMELINE,
    told: Callable[[str], object] = len,
) -> Player:
    """The player after these keys, with its screen given to `told`."""

    async def driven() -> Player:
        player = open_player(timeline, opening)
        async with player.run_test(size=size) as pilot:
            for key in keys:
                await pilot.press(key)
                await player.workers.wait_for_complete()
                await pilot.pause()
            told(screen_of(player))
        return player

    return asyncio.run(driven())


def screen(*keys: str, size: tuple[int, int] = NARROW, opening: Opening = Opening(140)) -> str:  # noqa: B008 - a value
    """The screen after these keys."""
    shown: list[str] = []
    after(*keys, size=size, opening=opening, told=shown.append)
    return shown[0]
