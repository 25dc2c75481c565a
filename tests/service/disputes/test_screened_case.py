"""From the records of a running service to a screen, and from the screen to a case there, as an auditor goes."""

import json
import shlex
from pathlib import Path

from click.testing import CliRunner

from service.access.game_access import PUBLIC_GAME, SECRET, GamePolicy
from service.command_line import main
from service.platform.clock import now_milliseconds
from service.simulation.self_play import self_play
from service.simulation.simulating import Plan
from tests.benchmarks.colluding_bots import colluding_bots
from tests.service.http.resources.test_followed_by_address import listening
from tests.service.in_process import InProcess

AN_HOUR = 3_600_000
PLAN = Plan("classic", 3, 10, ("colluder-1", "colluder-1", "greedy"), "5", pool=4)


def play(api: InProcess, creator: str) -> list[str]:
    """Ten games that ended lately, of four players, of whom two collude; this key has set them up."""
    games = []
    for deal in range(1, PLAN.games + 1):
        bots, names = PLAN.table(deal)
        name = f"season-{deal:02}"
        seed, since = f"{PLAN.seed}/{deal}", now_milliseconds() - AN_HOUR
        table, log = self_play(PLAN.system, 3, bots, seed, {}, game=name, names=names, since=since)
        private = {SECRET: table.secret, **GamePolicy(PUBLIC_GAME, 0, creator).private_fields()}
        given = {"expected_version": 0, "command_id": "test", "fingerprint": "test"}
        api.store.append(name, log, **given, private=private)  # type: ignore[arg-type] # of several types
        games.append(name)
    return games


def test_a_person_opens_a_case_by_the_command_of_a_screen(api: InProcess, tmp_path: Path) -> None:
    """The screen itself opens none; the case has its figures, and no name of a player."""
    with colluding_bots(PLAN.bots):
        games = play(api, api.get("/v1/keys/self", api.key)["id"])
    for game in games:
        record = api.call("GET", f"/v1/games/{game}/record").body
        (tmp_path / f"{game}.ndjson").write_bytes(record)

    with listening(api) as address:
        given = ["screen", str(tmp_path), "--service", address, "--json", "--workers", "1"]
        screened = json.loads(CliRunner().invoke(main, given).stdout)
        assert [api.get(f"/v1/games/{game}/disputes")["disputes"] for game in games] == [[]] * len(games)
        (pair,) = [each for each in screened["pairs"] if each["stands_out"]]
        program, *words = shlex.split(pair["open_a_case"])
        opened = CliRunner().invoke(main, words, env={"FIELDBOOK_KEY": api.key})
        (queued,) = api.get("/v1/disputes", api.key)["disputes"]

    moment = pair["moments"][0]
    assert (program, opened.exit_code) == ("fieldbook", 0), opened.output
    assert (queued["game"], queued["reason"]) == (moment["game"], "collusion")
    case = api.get(f"/v1/games/{moment['game']}/disputes/{queued['dispute']}", api.key)
    assert case["version"] == moment["moment"]["version"]
    assert "coins a game above chance" in case["text"]
    assert not [name for name in pair["names"] if name in case["text"]]
    assert moment["page"] == f"{address}/games/{moment['game']}#v={case['version']}"
    assert api.call("GET", f"/games/{moment['game']}").status == 200
