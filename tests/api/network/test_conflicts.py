"""A request that is late for a long game: what the store sends about it is bounded.

Design: "exact version comparison -> conflict with a bounded list of missed events". Requests share the connections
to the store, so a reply as long as a game would delay every other one.
"""

import random

from tests.service.in_process import InProcess
from tests.support.http_play import Party
from tests.support.lossy_proxy import LossyProxy

SEATS = [{"name": name} for name in ("Ada", "Bob", "Cleo")]


def test_a_reservation_that_is_used_again_does_not_read_the_whole_game(
    api: InProcess, network: LossyProxy
) -> None:
    """A second game is refused (409), at the same cost however long the first one has become."""
    reservation = api.call("POST", "/v1/reservations", token=api.key).json["reservation"]
    made = api.create(SEATS, reservation=reservation)
    game = Party(api, made["game"], [seat["token"] for seat in made["seats"]], random.Random(1))
    costs = []
    for _ in range(2):
        before = network.passed
        body = {"system": "classic", "seats": SEATS[::-1], "reservation": reservation}
        again = api.call("POST", "/v1/games", body, token=api.key)
        costs.append(network.passed - before)
        assert (again.status, again.json["code"]) == (409, "reservation_used"), again.body
        game.play(300)
    assert api.get(f"/v1/games/{made['game']}")["version"] > 200
    assert costs[1] < costs[0] + 64 * 1500
