"""A game is played to its end by the version of the rules that it pinned, whatever is today's by then.

Version 1 of `classic` draws three cards in phase 4 (booklet, phase 4); a version 2 that never was draws four.
"""

import json
from collections.abc import Iterable
from threading import Event, Thread

import pytest

from events import commands as c
from events.bots.memory import BotMemory
from events.game.bot_driver import next_bot_command
from events.game.record import read_record
from events.game.table import Table, new_table, open_table
from events.log.codec import decode_event
from events.log.recorded import RecordedEvent
from events.rules.catalogues.catalogue import installed_catalogue, shipped_catalogue
from events.rules.errors import UnknownSystem
from events.rules.move import HOST
from events.rules.systems.registry import system_named
from replay.timeline.timeline import read_timeline
from replay.verification.audit import audit_lines
from replay.verification.verify import verify_lines
from service.bot_seats.bot_players import BotPlayers
from service.play.tables import Tables
from tests.service.in_process import InProcess
from tests.support.corrected_rules import corrected
from tests.support.recorded_games import RecordedGame
from tests.support.servers import eventually

BOTS = [{"name": f"Bot {seat}", "kind": "bot", "bot": "random"} for seat in range(3)]


def draws(log: Iterable[RecordedEvent]) -> set[int]:
    """How many cards were drawn at once."""
    return {len(json.loads(entry.data)["cards"]) for entry in log if entry.type == "cards_drawn"}


def status(api: InProcess, game: str) -> str:
    """How far a game is."""
    return str(api.get(f"/v1/games/{game}")["status"])


def set_up() -> tuple[Table, list[RecordedEvent]]:
    """A table of bots, by the newest rules; nobody has acted yet."""
    deck = shipped_catalogue("bohnanza-104")
    table, log = new_table("old", "classic", 3, options={}, catalogue=deck, secret="5e" * 32, at=1)
    for seat in range(3):
        table, entries = table.submit(HOST, c.TakeSeat(seat, f"Bot {seat}", "bot", "random", str(seat)), 2)
        log += entries
    return table, log


def played_on(log: list[RecordedEvent]) -> RecordedGame:
    """The game, opened from its log and played to its end by its bots."""
    table = open_table(log, "5e" * 32, installed_catalogue)
    memory, entries = BotMemory().follow(map(decode_event, log)), list(log)
    while (step := next_bot_command(table, memory, alone=True)) is not None:
        table, happened = table.submit(*step, 3)
        memory = memory.follow(map(decode_event, happened))
        entries += happened
    return RecordedGame(table, tuple(entries))


def test_both_versions_can_be_called() -> None:
    """Without a version it is the newest; one that never was is refused by name."""
    with corrected():
        assert system_named("classic").version == 2
        assert [system_named("classic", version).version for version in (1, 2)] == [1, 2]
        with pytest.raises(UnknownSystem, match="'classic' in version 3"):
            system_named("classic", 3)


def test_a_table_and_its_bots_go_on_under_the_pinned_version() -> None:
    """The whole game is played after the correction, and is the same as without it."""
    _, log = set_up()
    without = played_on(log)
    with corrected():
        game = played_on(log)
        new, _ = set_up()

    assert game.table.state.status == "finished"
    assert (game.table.rules.system.version, new.rules.system.version) == (1, 2)
    assert game.log == without.log
    assert max(draws(game.log)) == 3


def test_a_record_is_replayed_under_the_pinned_version() -> None:
    """Verified and stepped through with today's rules installed; only the audit asks them."""
    _, log = set_up()
    record = played_on(log).record()
    plain = read_timeline(*read_record(record), -2)
    with corrected():
        report, audit = verify_lines(record), audit_lines(record)
        timeline = read_timeline(*read_record(record), -2)

    assert report.ok
    assert report.system_version == 1
    assert (timeline.broken, [*timeline.steps]) == (None, [*plain.steps])
    assert audit.ok
    assert [each.system_version for each in audit.engines] == [1, 2]


def test_a_running_game_of_the_service_goes_on_under_its_own_version(api: InProcess) -> None:
    """Legal commands, decisions and bots are those of version 1; a game begun afterwards is played by version 2."""
    party = api.people(seed="pinned")
    party.play(60)
    bots = api.create(BOTS)["game"]
    with corrected():
        later = api.create(BOTS)["game"]
        stopping = Event()
        players = BotPlayers(api.store)
        playing = Thread(target=players.run, args=(stopping,))
        playing.start()
        try:
            assert party.play()
            eventually(lambda: {status(api, game) for game in (bots, later)} == {"finished"}, seconds=120)
        finally:
            stopping.set()
            playing.join()
        versions = {
            game: Tables(api.store).newest(game).table.rules.system.version
            for game in (party.game, bots, later)
        }
        for game in versions:
            record = api.call("GET", f"/v1/games/{game}/record").body.splitlines(keepends=True)
            assert verify_lines(record).ok

    assert versions == {party.game: 1, bots: 1, later: 2}
    drawn = {game: max(draws(api.store.read(game))) for game in versions}
    assert drawn == {party.game: 3, bots: 3, later: 4}
