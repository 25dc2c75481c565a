"""Boards after a change of an old result: made again from the first game on that counts differently, and right.

`docs/ratings.md`: every way leads to the bytes that `fieldbook replay ratings` makes of the exported records.
"""

import random
from collections import Counter
from pathlib import Path

import pytest

from tests.service.in_process import InProcess
from tests.support.lossy_proxy import LossyProxy
from tests.support.rated_games import ADA, BOB, CAT, bring_up_to_date, check_rebuilt, people, served, token_of
from tests.support.server_counts import count_commands
from tests.support.servers import opened

PAIRS = ((ADA, BOB), (BOB, CAT), (CAT, ADA))


def games_of_people(api: InProcess, count: int) -> list[str]:
    """Put games of people into the store, the oldest first, and count them."""
    games = [people(api, number, PAIRS[number % 3]) for number in range(1, count + 1)]
    bring_up_to_date(api)
    return games


def open_case(api: InProcess, game: str) -> int:
    """Open a dispute about the result of a game; return its number."""
    body = {"reason": "not_agreed", "text": "I never did that.", "version": 20}
    answer = api.call("POST", f"/v1/games/{game}/disputes", body, token=token_of(api, game))
    assert answer.status == 201, answer.body
    return int(answer.json["dispute"])


def withdraw_case(api: InProcess, game: str, case: int) -> None:
    """Close a dispute without any ruling."""
    path = f"/v1/games/{game}/disputes/{case}/withdrawal"
    answer = api.call("POST", path, {}, token=token_of(api, game))
    assert answer.status in {200, 201}, answer.body


def pair(dice: random.Random, players: list[str]) -> tuple[str, str]:
    """Choose two different players."""
    one, other = dice.sample(players, 2)
    return one, other


def writes(counted: Counter[str]) -> int:
    """How many values the server was told to set or to remove."""
    return sum(counted[name] for name in ("hset", "hdel", "zadd", "zrem", "rpush"))


def test_a_case_about_the_newest_game_recounts_that_game_alone(api: InProcess) -> None:
    """What it costs does not depend on how many games were counted before."""
    found = {}
    for count in (4, 16):
        games = games_of_people(api, count)
        case = open_case(api, games[-1])
        opened_now = count_commands(api.store, lambda: bring_up_to_date(api))
        withdraw_case(api, games[-1], case)
        closed_now = count_commands(api.store, lambda: bring_up_to_date(api))
        found[count] = writes(opened_now), writes(closed_now)
        api.store.connection.command("FLUSHALL")
    assert found[4] == found[16]


def test_a_case_that_is_opened_and_closed_between_two_runs_recounts_nothing(api: InProcess) -> None:
    """No result has changed."""
    games = games_of_people(api, 6)
    withdraw_case(api, games[0], open_case(api, games[0]))
    assert writes(count_commands(api.store, lambda: bring_up_to_date(api))) <= 1


def test_boards_are_written_in_bounded_scripts(api: InProcess) -> None:
    """The log's server answers others in between, however many games are counted at once."""
    games_of_people(api, 1)
    games = 75
    for number in range(2, games + 2):
        people(api, number, PAIRS[number % 3])
    counted = count_commands(api.store, lambda: bring_up_to_date(api))
    # Each game that is read is a small script of its own, and one ends the run.
    written, scripts = writes(counted) - 3 * games, counted["eval"] - games - 1
    assert written > 500
    assert written / scripts <= 500


@pytest.mark.parametrize("seed", range(3))
def test_any_order_of_games_cases_and_merges_leads_to_the_boards_of_the_records(
    api: InProcess, tmp_path: Path, seed: int
) -> None:
    """Games that come in late, cases opened and closed, players merged: after each step, or after several."""
    dice = random.Random(seed)
    operator = api.key
    namespace = api.get("/v1/keys/self", operator)["players"]
    own = [f"{namespace}:{name}" for name in ("ada", "bob", "cat", "dan")]
    numbers = dice.sample(range(1, 11), 10)
    present: list[str] = []
    cases: dict[str, int] = {}
    merges = [("bob", "ada"), ("dan", "cat")]
    while numbers:
        present.append(people(api, numbers.pop(), pair(dice, own)))
        game = dice.choice(present)
        if game in cases:
            withdraw_case(api, game, cases.pop(game))
        else:
            cases[game] = open_case(api, game)
        if merges and dice.random() < 0.2:
            player, into = merges.pop()
            answer = api.call("POST", f"/v1/players/{player}/merge", {"into": into}, token=operator)
            assert answer.status in {200, 201}, answer.body
        if dice.random() < 0.7:
            bring_up_to_date(api)
    bring_up_to_date(api)
    check_rebuilt(api, tmp_path)


def test_boards_are_the_same_whichever_reply_of_the_store_is_lost(redis_url: str, tmp_path: Path) -> None:
    """A write that is sent again has the same effect once or twice; a game counts once."""
    with LossyProxy(redis_url) as network:
        for store in opened(network.url):
            api = InProcess(store)
            for number in range(1, 13):
                people(api, number, PAIRS[number % 3])
                network.lose_next_reply(after=3 * number)
                bring_up_to_date(api)
                network.lose_next_reply(0)
            assert network.lost >= 8
            check_rebuilt(api, tmp_path)
            assert sum(row["games"] for row in served(api, "bean-duel", "people")["players"]) == 24
            api.close()
