"""A tournament in a running service does not stall: each table of a round gets its game, or ends with a reason."""

from functools import partial
from typing import Any

from tests.support.processes import Service
from tests.support.servers import eventually


def test_every_table_gets_its_game_whatever_its_players_are_called(service: Service) -> None:
    """A player with an id plays a bot that has the name of a placeholder, in either order of the seats."""
    key = service.key()

    def ask(method: str, path: str, body: Any = None) -> Any:
        answer = service.api.call(method, f"/v1/tournaments{path}", body, token=key)
        assert answer.status in {200, 201}, answer.body
        return answer.json

    def is_set_up(path: str) -> bool:
        return any(each["tables"][0]["game"] for each in ask("GET", path)["schedule"])

    begun = []
    for number in range(8):
        wanted = {"name": f"Cup {number}", "system": "bean-duel", "rounds": 1, "sizes": [2]}
        path = f"/{ask('POST', '', wanted)['tournament']}"
        ask("POST", f"{path}/players", {"player": "person", "seed": f"seed-{number}"})
        ask("POST", f"{path}/players", {"player": "p", "name": "Player 1", "bot": "random"})
        ask("POST", f"{path}/start")
        begun.append(path)
    for path in begun:
        eventually(partial(is_set_up, path))
        (played,) = ask("GET", path)["schedule"]
        table = service.api.call("GET", f"/v1/games/{played['tables'][0]['game']}", token=key).json
        shown = [seat["name"] for seat in table["seats"]]
        assert "Player 1" in shown
        assert len({name.casefold() for name in shown}) == 2
