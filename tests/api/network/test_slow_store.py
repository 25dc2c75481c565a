"""A store that answers slowly: requests take longer, and have the same answers."""

from tests.service.in_process import InProcess
from tests.support.lossy_proxy import LossyProxy

SEATS = [{"name": name} for name in ("Ada", "Bob", "Cleo")]
SLOW = 0.15
"""Seconds that each reply takes; a client of the store waits 3 for one."""


def test_a_game_is_created_once_though_the_store_answers_slowly(api: InProcess, network: LossyProxy) -> None:
    """With an `Idempotency-Key` the service first looks for the game: a slow answer to that is no failure."""
    network.delay = SLOW
    headers = {"Idempotency-Key": "one-game"}
    body = {"system": "classic", "seats": SEATS}
    first, again = (api.call("POST", "/v1/games", body, token=api.key, headers=headers) for _ in range(2))
    assert first.status == 201, first.body
    assert (again.status, again.json["game"]) == (201, first.json["game"])
