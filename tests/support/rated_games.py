"""Finished games of players with ids in the store, and their boards as the service shows and as records make them."""

import random
from pathlib import Path
from typing import Any

import msgspec
from click.testing import CliRunner

from events import commands as c
from events.commands.clock import PRESETS, ClockSettings
from events.game.table import Table, new_table
from events.log.recorded import RecordedEvent
from events.rules.catalogues.catalogue import shipped_catalogue
from events.rules.move import HOST
from events.rules.systems.registry import BY_KEY
from replay.commands.ratings import ratings
from service.access.game_access import SECRET, GamePolicy
from service.access.tokens import seat_token, token_field
from service.platform.clock import now_milliseconds
from service.ratings.rating_run import RatingRun
from tests.service.in_process import InProcess
from tests.support.recorded_games import play_on
from tests.support.servers import eventually

BEGINNING = now_milliseconds() - 10**8
"""So lately that there is still time to open a case."""
CLOCKS = (None, ClockSettings(bank=3_600, increment=3_600, cap=36_000, answer=3_600), PRESETS["week_a_game"])
"""By number: games are played with each."""
ADA, BOB, CAT = "acme:ada", "acme:bob", "club:7"


def bring_up_to_date(api: InProcess) -> None:
    """Do what the job of ratings does, until nothing is left to do."""
    eventually(RatingRun(api.store).run)


def token_of(api: InProcess, game: str, seat: int = 0) -> str:
    """Return the token of a seat of such a game."""
    return seat_token(api.store.installation.token_key, game, seat, "test")


def put(api: InProcess, table: Table, log: list[RecordedEvent], policy: GamePolicy | None = None) -> str:
    """Put a whole game into the store, with tokens for its seats."""
    tokens = [token_of(api, table.game, seat) for seat in range(table.rules.players)]
    private = {
        SECRET: table.secret,
        **(policy or GamePolicy()).private_fields(),
        **{token_field(each): str(seat) for seat, each in enumerate(tokens)},
    }
    api.store.append(
        table.game, log, expected_version=0, command_id="test", fingerprint="test", private=private
    )
    return table.game


def people(api: InProcess, number: int, who: tuple[str, str], policy: GamePolicy | None = None) -> str:
    """A whole game of two people, which ended after those of lower numbers."""
    catalogue = shipped_catalogue(BY_KEY["bean-duel"].catalogue)
    table, log = new_table(
        f"people-{number}",
        "bean-duel",
        2,
        options={},
        catalogue=catalogue,
        secret=f"{number:064x}",
        at=BEGINNING + 10**7 * number,
        clock=CLOCKS[number % 3],
    )
    for seat, player in enumerate(who):
        taken = c.TakeSeat(seat, f"Player {seat + 1}", "human", player=player)
        table, entries = table.submit(HOST, taken, log[-1].at + 1)
        log += entries
    return put(api, play_on(table, log, random.Random(number), 0, None), log, policy)


def served(
    api: InProcess, system: str, pool: str, time: str = "always", *, player: str = "", rows: str = "players"
) -> dict[str, Any]:
    """A board as pages of two, put together; or with a player and `changes` their history."""
    whole: dict[str, Any] = {}
    cursor = ""
    while True:
        page = api.get(f"/v1/ratings{player}?system={system}&pool={pool}&time={time}&limit=2{cursor}")
        following = page.pop("next")
        whole = page | {rows: whole.get(rows, []) + page[rows]}
        if following is None:
            return whole
        cursor = f"&cursor={following}"


def check_rebuilt(api: InProcess, folder: Path) -> list[Any]:
    """Every board, and each history, is, byte for byte, what the command makes of the exported records.

    With what is known beside them. Returned are the boards of all games.
    """
    folder.mkdir(exist_ok=True)
    for game in api.get("/v1/games?limit=200", api.key)["games"] or names_of(api):
        record = api.call("GET", f"/v1/games/{game['game']}/record?as=all", token=api.key)
        (folder / f"{game['game']}.ndjson").write_bytes(record.body)
    inputs = folder / "inputs.json"
    inputs.write_bytes(api.call("GET", "/v1/ratings/inputs", token=api.key).body)
    asked = [str(folder), "--inputs", str(inputs), "--json", "--workers", "1", "--time", "every", "--changes"]
    ran = CliRunner().invoke(ratings, asked)
    assert ran.exit_code == 0, ran.output
    found = msgspec.json.decode(ran.output)
    rebuilt: list[Any] = found["pools"]
    for pool in rebuilt:
        name = {each: pool[each] for each in ("system", "pool", "time")}
        board = served(api, **name)
        assert pool["time"] in board.pop("times")
        for row in board["players"]:
            assert row.pop("name") is None
            history = served(api, **name, player=f"/{row['player']}", rows="changes")["changes"]
            own = [
                {key: each[key] for key in ("game", "ended", "before", "after")}
                for each in reversed(found["changes"])
                if each["player"] == row["player"] and all(each[key] == name[key] for key in name)
            ]
            assert msgspec.json.encode(history) == msgspec.json.encode(own)
            assert len(own) == row["games"]
        assert msgspec.json.encode(board, order="sorted") == msgspec.json.encode(pool, order="sorted")
    return [each for each in rebuilt if each["time"] == "always"]


def names_of(api: InProcess) -> list[dict[str, str]]:
    """All games of the feeds."""
    found = {
        entry.game_id for part in range(api.store.partitions) for entry in api.store.read_feed(part, 0, 1000)
    }
    return [{"game": each} for each in sorted(found)]
