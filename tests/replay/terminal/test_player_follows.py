"""`play --follow`: a game that goes on while the player shows it."""

import asyncio
from collections.abc import Iterator
from threading import Event

from textual.pilot import Pilot

from events.game.record import read_record
from events.log.disclosure import ALL, Form
from replay.client.game_address import SourceUnreadable
from replay.terminal.player.application import Opening, Player, open_player
from replay.terminal.player.live_reader import OVER, LiveReader
from replay.timeline.recording import Recording
from replay.timeline.timeline import Timeline
from tests.replay.commands.commands import WHOLE
from tests.replay.terminal.player_at_keys import NARROW, TIMELINE, screen_of

FIRST, SECOND = 60, 75
PAUSES = 400


class Played:
    """The entries of a recorded game, of which some are there at once, some later, and the rest last."""

    def __init__(self, fails: str = "") -> None:
        """Begin with the first ones; in the end the service may fail instead."""
        header, self._forms = read_record(WHOLE.read_bytes().splitlines(keepends=True))
        self.timeline = Timeline(Recording(header), ALL)
        self.caught_up, self.later, self.rest = Event(), Event(), Event()
        self.live_reader = LiveReader(self.timeline, self.caught_up)
        self._fails = fails
        self.live_reader.start(self._entries())
        assert self.caught_up.wait(60)

    def _entries(self) -> Iterator[Form]:
        for version, form in enumerate(self._forms, start=1):
            if version == FIRST + 1:
                self.caught_up.set()
                self.later.wait(60)
            if version == SECOND + 1:
                self.rest.wait(60)
                if self._fails:
                    raise SourceUnreadable(self._fails)
            yield form


async def shown(player: Player, pilot: Pilot[None], wanted: str) -> None:
    """Wait until this stands on the screen."""
    for _ in range(PAUSES):
        if wanted in screen_of(player):
            return
        await pilot.pause(0.05)
    raise AssertionError(f"{wanted} never stood on the screen:\n{screen_of(player)}")


def test_who_stands_at_the_newest_event_goes_along_until_the_game_is_over() -> None:
    """Also in another perspective; who looks back stays where he is, and sees how many events there are."""
    played = Played()

    async def driven() -> None:
        player = open_player(played.timeline, Opening(FIRST, live_reader=played.live_reader))
        async with player.run_test(size=NARROW) as pilot:
            await shown(player, pilot, f"{FIRST} of {FIRST}")
            await pilot.press("right")
            await shown(player, pilot, "the game goes on")
            await pilot.press("p")
            played.later.set()
            await shown(player, pilot, f"{SECOND} of {SECOND}")
            await pilot.press("left")
            played.rest.set()
            await shown(player, pilot, f"{SECOND - 1} of {TIMELINE.last}")
            await shown(player, pilot, OVER)
            await pilot.press("end")
            assert "the game goes on" not in screen_of(player)

    asyncio.run(driven())


def test_why_a_game_cannot_be_followed_any_more_is_said() -> None:
    """What was there can still be walked through."""
    played = Played(fails="The service does not answer.")

    async def driven() -> None:
        player = open_player(played.timeline, Opening(FIRST, live_reader=played.live_reader))
        async with player.run_test(size=NARROW) as pilot:
            played.later.set()
            played.rest.set()
            await shown(player, pilot, "The service does not answer.")
            await pilot.press("left")
            assert f"{SECOND - 1} of {SECOND}" in screen_of(player)

    asyncio.run(driven())
