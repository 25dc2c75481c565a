"""A game that cannot be read: in quarantine, listed with what is known of it, and out again when it can be read."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from service.jobs.dispatching import Dispatcher
from service.projections.progress import unprojectable_games
from tests.service.in_process import InProcess, Stored
from tests.service.in_process_worker import replace_entry, work
from tests.service.projections.listing import differences, listed, project

SEATED = 2
"""The version of an event of which the list tells: somebody has taken a seat."""


def log_key(api: InProcess, game: str) -> str:
    """The name of a game's stream."""
    return f"{{p{api.store.partition_of(game):02}}}:game:{game}:log"


def drop(api: InProcess, game: Stored, version: int) -> None:
    """Take an entry out of a game's stream."""
    api.store.connection.command("XDEL", log_key(api, game.id), f"{version}-0")


def poisons() -> dict[str, Callable[[InProcess, Stored], None]]:
    """The ways in which a log cannot be read."""
    return {
        "undecodable type": lambda api, game: replace_entry(api, game, 40, t="bean_eaten"),
        "newer schema": lambda api, game: replace_entry(api, game, 40, v=99),
        "newer first event": lambda api, game: replace_entry(api, game, 1, v=99),
        "no JSON": lambda api, game: replace_entry(api, game, SEATED, d=b"\xff"),
        "other fields": lambda api, game: replace_entry(api, game, 40, x="more"),
        "a hole": lambda api, game: drop(api, game, 40),
        "no first event": lambda api, game: drop(api, game, 1),
        "no end": lambda api, game: drop(api, game, len(game.recorded.log)),
        "another game's": lambda api, game: replace_entry(
            api,
            game,
            1,
            d=game.recorded.log[0].data.replace(game.id.encode(), b"somebody-elses"),
        ),
        "no log": lambda api, game: api.store.connection.command("DEL", log_key(api, game.id)),
    }


@pytest.mark.parametrize("poison", poisons())
def test_a_poisoned_game_is_in_quarantine_until_it_can_be_read(api: InProcess, poison: str) -> None:
    """The others are listed as ever; the reason is kept; a repaired log is projected from its beginning."""
    game = api.stored()
    others = [api.create([None] * 3)["game"]]
    while api.store.partition_of(others[-1]) != api.store.partition_of(game.id):
        others.append(api.create([None] * 3)["game"])
    dumped = api.store.connection.command("DUMP", log_key(api, game.id))
    poisons()[poison](api, game)
    project(api.store)

    found = listed(api)
    assert set(found) == {game.id, *others}
    assert found[game.id]["quarantined"] is True
    assert found[game.id]["version"] < len(game.recorded.log)
    assert list(listed(api, "quarantined=true")) == [game.id]
    assert set(listed(api, "quarantined=false")) == set(others)
    ready = api.get("/readyz")
    assert (ready["quarantined_games"], ready["projection_lag"]) == (1, 0)
    why = unprojectable_games(api.store)[game.id]
    assert (why.version, why.position) == (len(game.recorded.log), 1)
    assert why.reason
    assert differences(api.store) == []

    api.store.connection.command("DEL", log_key(api, game.id))
    api.store.connection.command("RESTORE", log_key(api, game.id), 0, dumped)
    assert project(api.store) == []  # what is due now the next sweep finds
    assert unprojectable_games(api.store) == {}
    assert api.get("/readyz")["quarantined_games"] == 0
    mended = listed(api, "status=finished&quarantined=false")[game.id]
    assert mended["version"] == len(game.recorded.log)
    assert None not in mended["players"]
    assert differences(api.store) == []


def test_what_was_known_of_a_game_stays_known(api: InProcess) -> None:
    """A running game whose log ends to be readable keeps status, players and time."""
    game = api.stored(stop_at=80)
    project(api.store)
    before = listed(api)[game.id]
    drop(api, game, 1)
    party_key = log_key(api, game.id)
    assert api.store.connection.command("XLEN", party_key) == before["version"] - 1
    tell_again(api, game)
    project(api.store)

    assert listed(api)[game.id] == before | {"quarantined": True}


def tell_again(api: InProcess, game: Stored) -> None:
    """Have the feed tell of one more version of a game, as if it had been played on by another release."""
    partition = api.store.partition_of(game.id)
    version = len(game.recorded.log)
    last = game.recorded.log[-1]
    command, tag = api.store.connection.command, f"{{p{partition:02}}}"
    fields = ("v", 99, "d", b"{}", "a", last.at, "w", "", "c", b"", "s", "", "h", last.hash)
    command("XADD", log_key(api, game.id), f"{version + 1}-0", "t", "bean_eaten", *fields)
    end = api.store.feed_end(partition) + 1
    command(
        "XADD", f"{tag}:feed", f"{end}-0", "g", game.id, "f", version + 1, "l", version + 1, "h", last.hash
    )
    command("SET", f"{tag}:feed:head", end)
    command("HSET", f"{tag}:game:{game.id}:head", "version", version + 1)


def test_the_log_says_it_once(api: InProcess, caplog: pytest.LogCaptureFixture) -> None:
    """Further entries of a game in quarantine are projected without a word."""
    game = api.stored(stop_at=80)
    project(api.store)
    tell_again(api, game)
    for _ in range(3):
        project(api.store)
    said = [record for record in caplog.records if f"game {game.id} is in quarantine" in record.getMessage()]
    assert len(said) == 1
    assert "there is no event type 'bean_eaten'" in said[0].getMessage()


def test_a_finished_game_that_cannot_be_read_is_still_judged(api: InProcess, queue: Any) -> None:
    """Its last entry says that it is over: the verifier finds out what is wrong with the rest."""
    game = api.stored()
    drop(api, game, 40)
    assert project(api.store) == [(game.id, len(game.recorded.log))]
    assert Dispatcher(api.store).sweep() == 1
    assert work(queue) == 1
    assert listed(api, "validation=invalid&quarantined=true").keys() == {game.id}


def test_a_broken_summary_is_made_anew(api: InProcess) -> None:
    """What the list itself has lost costs one line; the next event of the game writes it again."""
    party = api.people()
    project(api.store)
    partition = api.store.partition_of(party.game)
    key = f"{{p{partition:02}}}:projection:games-2.1:games"
    before = listed(api)
    api.store.connection.command("HSET", key, party.game, b"{broken\xff")
    assert listed(api)[party.game]["quarantined"] is True
    party.play(1)
    project(api.store)
    after = listed(api)
    assert after[party.game] == before[party.game] | {"version": after[party.game]["version"]}
    assert after[party.game]["version"] > before[party.game]["version"]
    assert differences(api.store) == []
    assert msgspec.json.decode(api.store.connection.command("HGET", key, party.game))["status"] == "running"
