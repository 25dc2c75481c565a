"""Byes of a Swiss tournament go to the last in the table, as docs/tournaments.md says, and an auditor agrees."""

from collections import defaultdict
from functools import partial
from pathlib import Path
from typing import Any

from tests.support.commands import replay
from tests.support.processes import Service
from tests.support.servers import eventually


def test_a_bye_goes_to_the_last_in_the_table_of_those_who_had_none(service: Service, tmp_path: Path) -> None:
    """The table of the first round is computed here from its results: points, wins, opponents' points, coins."""
    key = service.key()

    def ask(method: str, path: str, body: Any = None) -> Any:
        answer = service.api.call(method, f"/v1/tournaments{path}", body, token=key)
        assert answer.status in {200, 201}, answer.body
        return answer.json

    def is_over(path: str) -> bool:
        return bool(ask("GET", path)["status"] == "finished")

    begun = []
    for cup in range(4):
        wanted = {"name": f"Byes {cup}", "system": "bean-duel", "rounds": 2, "sizes": [2], "format": "swiss"}
        path = f"/{ask('POST', '', wanted)['tournament']}"
        for number in range(7):
            body = {
                "player": f"p{number}",
                "name": f"Bot {number}",
                "bot": "random",
                "seed": f"{cup}/{number}",
            }
            ask("POST", f"{path}/players", body)
        ask("POST", f"{path}/start")
        begun.append(path)
    for path in begun:
        eventually(partial(is_over, path), seconds=120)
        first, second = ask("GET", path)["schedule"]
        figures = _figures(first)
        (bye,) = second["byes"]
        assert bye not in first["byes"]
        lowest = min(own for player, own in figures.items() if player not in first["byes"])
        assert figures[bye] == lowest, (bye, figures)
        log = tmp_path / f"{path.strip('/')}.ndjson"
        log.write_bytes(service.api.call("GET", f"/v1/tournaments{path}/log").body)
        checked = replay("tournament", log)
        assert "[decided]" not in checked.stdout, checked.stdout


def _figures(played: Any) -> dict[str, tuple[int, ...]]:
    """Return what decides each player's place after one round, the most important first."""
    points: dict[str, int] = defaultdict(int, dict.fromkeys(played["byes"], 1260))
    for table in played["tables"]:
        points.update(zip(table["players"], table["points"], strict=True))
    figures: dict[str, tuple[int, ...]] = {player: (points[player], 0, 0, 0) for player in played["byes"]}
    for table in played["tables"]:
        outcome = table["outcome"]
        for seat, player in enumerate(table["players"]):
            other = points[table["players"][1 - seat]]
            coins = outcome["scores"][seat] if outcome["scores"] else 0
            figures[player] = (points[player], int(seat in outcome["winners"]), other, coins)
    return figures
