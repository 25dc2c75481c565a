"""The figures of an overview are those of the games: held against the dataset's tables and the records."""

import pickle
from collections import Counter, defaultdict
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from msgspec.structs import replace

from events import commands as c
from events import domain_events as e
from events.rules.table.state import GameState
from replay.across.dataset.told_game import ToldGame
from replay.across.intervals import wilson
from replay.across.left import Left, Reason
from replay.across.overview.game_figures import GameFigures, SeatFigures, count_game
from replay.across.overview.overview import Overview
from replay.across.overview.trade_figures import TradeFigures
from replay.across.overview.wait_figures import Wait, WaitFigures, list_waits
from replay.across.played_game import PlayedGame, Step
from tests.replay.across.dataset.datasets import rows_of
from tests.support.recorded_games import BEGINNING

WAITING = GameState(status="running", phase="plant", active=0)
"""A table that waits for seat 0."""
OVER = e.TimeExpired(0, BEGINNING)
"""The time of seat 0 is over."""


def overview_of(*games: GameFigures) -> dict[str, Any]:
    """What an overview of these games tells."""
    overview = Overview()
    for each in games:
        overview.add(each)
    return overview.document()


@pytest.fixture(scope="module")
def document(played: tuple[PlayedGame, ...]) -> dict[str, Any]:
    """The overview of recorded and simulated games of all systems."""
    return overview_of(*map(count_game, played))


def test_every_game_stands_under_its_end(document: dict[str, Any], dataset: Path) -> None:
    """By system and number of players."""
    games = Counter((row["system"], row["players"], row["reason"]) for row in rows_of(dataset, "games"))

    found = {(each["system"], each["players"], each["reason"]): each["games"] for each in document["endings"]}
    assert found == games
    assert document["games"] == games.total()
    assert len({system for system, _, _ in games}) == 6


def test_places_have_their_wins_and_intervals(document: dict[str, Any], dataset: Path) -> None:
    """As the table of seats has them."""
    players = {row["game"]: row["players"] for row in rows_of(dataset, "games")}
    seats, wins = Counter[tuple[str, int, int]](), Counter[tuple[str, int, int]]()
    for row in rows_of(dataset, "seats"):
        if row["place"] is not None:
            key = row["system"], players[row["game"]], row["place"]
            seats[key] += 1
            wins[key] += row["winner"]

    assert [(each["system"], each["players"], each["place"]) for each in document["places"]] == sorted(seats)
    for each in document["places"]:
        key = each["system"], each["players"], each["place"]
        assert (each["seats"], each["wins"]) == (seats[key], wins[key])
        assert (each["low"], each["high"]) == pytest.approx(wilson(wins[key], seats[key]), abs=1e-6)


def test_fair_shares_add_up_to_the_wins(document: dict[str, Any]) -> None:
    """Whatever was shared, and whether there was a winner: by place in games of one size, by kind over all sizes."""
    for name, table in (("places", ("system", "players")), ("kinds", ("system",))):
        expected, wins = Counter[tuple[Any, ...]](), Counter[tuple[Any, ...]]()
        for each in document[name]:
            key = tuple(each[part] for part in table)
            expected[key] += each["seats"] * each["fair"]
            wins[key] += each["wins"]

        assert wins.total() > 0
        assert expected == pytest.approx(wins, abs=1e-3)


def test_a_fair_share_is_that_of_the_same_games() -> None:
    """Of three games of two, one was shared and one ended without a winner; a bot's is that of its tables."""
    shared = game((seat("bot", "greedy", won=True), seat("human", "", won=True, place=1)))
    won = game((seat("bot", "greedy"), seat("human", "", won=True, place=1)))
    lost = game((seat("bot", "greedy"), seat("human", "", place=1)))

    told = overview_of(shared, shared, won)
    assert {each["fair"] for each in told["places"]} == {round(5 / 6, 6)}
    assert [(each["kind"], each["fair"]) for each in told["kinds"]] == [
        ("bot", 0.833333),
        ("human", 0.833333),
    ]
    assert {each["fair"] for each in overview_of(won, lost)["places"]} == {0.25}


def test_trades_of_one_card_for_one_and_gifts_are_counted(
    played: tuple[PlayedGame, ...], dataset: Path
) -> None:
    """Either way round is the same pair; what was given for nothing is told by variety."""
    counted = [count_game(each) for each in played]
    rows = [row for row in rows_of(dataset, "trades") if row["counts"]]
    one_for_one = [row for row in rows if len(row["given"]) == len(row["received"]) == 1]
    for_nothing = [row for row in rows if not row["given"] or not row["received"]]

    assert sum(sum(each.trades.swaps.values()) for each in counted) == len(one_for_one) > 50
    assert sum(sum(each.trades.gifts.values()) for each in counted) == sum(
        len(row["given"]) + len(row["received"]) for row in for_nothing
    )
    assert all(one <= other for each in counted for one, other in each.trades.swaps)


def test_every_pair_and_every_size_is_in_the_data(
    played: tuple[PlayedGame, ...], document: dict[str, Any], dataset: Path
) -> None:
    """However many there are: they add up to all trades, in the order of how often they came about."""
    rows = [row for row in rows_of(dataset, "trades") if row["counts"] and row["kind"] == "trade"]
    sizes = Counter(
        (row["system"], *sorted((len(row["given"]), len(row["received"])), reverse=True)) for row in rows
    )
    pairs = {(each.system, *pair) for each in played for pair in count_game(each).trades.swaps}

    assert {
        (each["system"], each["cards"], each["for"]): each["trades"] for each in document["sizes"]
    } == sizes
    assert {(each["system"], each["one"], each["other"]) for each in document["swaps"]} == pairs
    assert len(document["swaps"]) == len(pairs) > 20
    order = [(each["system"], -each["trades"], each["one"], each["other"]) for each in document["swaps"]]
    assert order == sorted(order)


def test_prices_are_what_came_back_for_a_card(
    document: dict[str, Any], dataset: Path, told: tuple[ToldGame, ...]
) -> None:
    """In cards and by the yardstick of the table of trades, over all trades in which cards went both ways."""
    games = {each.played.game: each for each in told}
    cards = Counter[tuple[str, str]]()
    got, coins, worth = (defaultdict[tuple[str, str], float](float) for _ in range(3))
    for row in rows_of(dataset, "trades"):
        if not (row["counts"] and row["given"] and row["received"]):
            continue
        for given, received, value in (
            (row["given"], row["received"], row["received_value"]),
            (row["received"], row["given"], row["given_value"]),
        ):
            for card in given:
                key = row["system"], games[row["game"]].variety(card)
                cards[key] += 1
                got[key] += len(received) / len(given)
                coins[key] += value / len(given)
                worth[key] += games[row["game"]].worth((card,))

    assert [(each["system"], each["variety"]) for each in document["prices"]] == sorted(cards)
    assert len(cards) > 20
    for each in document["prices"]:
        key = each["system"], each["variety"]
        assert each["cards"] == cards[key]
        assert each["got_cards"] == pytest.approx(got[key] / cards[key], abs=1e-5)
        assert each["got_coins"] == pytest.approx(coins[key] / cards[key], abs=1e-5)
        assert each["worth"] == pytest.approx(worth[key] / cards[key], abs=1e-5)


def test_no_part_of_a_wait_is_lost(document: dict[str, Any], dataset: Path) -> None:
    """By who sits there and phase: all time of the table of times in which the game waited for one seat alone."""
    kinds = {(row["game"], row["seat"]): row["kind"] for row in rows_of(dataset, "seats")}
    milliseconds, acted = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for row in rows_of(dataset, "times"):
        if row["waited_for"] == 1 and row["counts"]:
            key = kinds[row["game"], row["seat"]], row["phase"]
            milliseconds[key] += row["milliseconds"]
            acted[key] += row["acted"]

    assert {(each["kind"], each["phase"]) for each in document["waits"]} == set(milliseconds)
    for each in document["waits"]:
        key = each["kind"], each["phase"]
        assert each["seconds"] == pytest.approx(milliseconds[key] / 1000)
        assert sum(each["within_seconds"].values()) == each["waits"] >= acted[key]
        assert each["expired"] <= each["waits"]
    assert sum(each["expired"] for each in document["waits"]) > 10


def test_a_wait_goes_on_while_others_act_and_when_time_is_over() -> None:
    """Two talk, and the clock says that it is over: from its first moment to the move it is one wait."""
    waits = list_waits(
        [given(0), given(3, 1), given(7, 2), given(60, event=OVER), given(61, 0), given(62, 0)]
    )

    assert list(waits) == [Wait(0, "plant", 61_000, has_expired=True), Wait(0, "plant", 1000)]


def test_a_wait_is_held_up_with_its_game() -> None:
    """The time of a dispute is nobody's, and what was discarded is no part of it."""
    paused, went_on = given(1000, 1, before=replace(WAITING, paused_by=(1,))), given(1002, 0)
    discarded = given(1001, 0, counts=False)

    assert list(list_waits([given(0), given(5, 1), paused, discarded, went_on])) == [Wait(0, "plant", 6000)]


def test_what_was_waited_before_somebody_else_is_waited_for_is_not_lost() -> None:
    """Nor what was waited until the game was ended, nor the time until one's move where others are late to answer."""
    other, answers = replace(WAITING, active=1), replace(OVER, seat=1, offer=3)

    waits = list(
        list_waits([given(0), given(5, 2), given(9, 2, before=other), given(30, event=answers, before=other)])
    )
    assert waits == [Wait(0, "plant", 5000), Wait(1, "plant", 25_000)]


def test_lengths_offers_and_disputes_are_those_of_the_tables(document: dict[str, Any], dataset: Path) -> None:
    """Added up over all games."""
    games = rows_of(dataset, "games")
    offers = [row for row in rows_of(dataset, "offers") if row["counts"]]

    assert sum(each["offers"] for each in document["offers"]) == len(offers)
    assert sum(each["accepted"] for each in document["offers"]) == sum(row["trades"] for row in games)
    assert document["disputes"]["rewindings"] == sum(row["rewindings"] for row in games) == 13
    assert sum(document["disputes"]["pauses"].values()) == sum(row["pauses"] for row in games)
    assert sum(document["disputes"]["rulings"].values()) == sum(row["rulings"] for row in games)
    assert document["disputes"]["expired"] == sum(row["expired"] for row in games)
    for each in document["lengths"]:
        own = [row for row in games if (row["system"], row["players"]) == (each["system"], each["players"])]
        turns = [row["turns"] for row in own if row["turns"]]
        times = [row["milliseconds"] for row in own if row["milliseconds"] is not None]
        assert (each["games"], each["began"], each["dated"]) == (len(own), len(turns), len(times))
        assert (each["turns"]["least"], each["turns"]["most"]) == (min(turns), max(turns))
        assert each["turns"]["median"] == sorted(turns)[(len(turns) - 1) // 2]
        assert (each["minutes"] is None) == (not times)
    assert sum(each["games"] for each in document["lengths"]) == len(games)


def test_bots_are_compared_with_others_only_where_both_sit(document: dict[str, Any]) -> None:
    """Tables of bots alone say nothing about it."""
    alone = game((seat("bot", "greedy", won=True), seat("bot", "random")))
    mixed = game((seat("bot", "greedy", won=True), seat("human", "")))

    assert overview_of(alone)["kinds"] == []
    assert [
        (each["kind"], each["wins"], each["seats"]) for each in overview_of(alone, mixed, mixed)["kinds"]
    ] == [
        ("bot", 2, 2),
        ("human", 0, 2),
    ]
    assert {each["kind"] for each in document["kinds"]} == {"bot", "human", "program"}


def test_lengths_say_of_how_many_games_they_are() -> None:
    """Of three games one never began, and a clock saw one."""
    (told,) = overview_of(game((), turns=0), game((), turns=4), game((), turns=9, minutes=3.2))["lengths"]
    (never,) = overview_of(game((), turns=0))["lengths"]

    assert (told["games"], told["began"], told["dated"]) == (3, 2, 1)
    assert told["minutes"] == {"least": 3, "median": 3, "most": 3}
    assert (never["games"], never["began"], never["turns"], never["minutes"]) == (1, 0, None, None)


def test_the_middle_of_lengths_is_one_of_them() -> None:
    """The lower one of two."""
    games = [game((), turns=turns) for turns in (4, 30, 10, 20)]

    assert overview_of(*games)["lengths"][0]["turns"] == {"least": 4, "median": 10, "most": 30}
    assert overview_of(*games, game((), turns=40))["lengths"][0]["turns"]["median"] == 20


def test_waits_fall_into_the_first_class_that_holds_them() -> None:
    """A wait of exactly so many seconds is within them."""
    figures = WaitFigures()
    for seconds in (0.5, 1.0, 1.1, 15.0, 90_000.0):
        figures.add(seconds)

    assert figures.by_length == [2, 1, 1, 0, 0, 0, 0, 1]


def test_what_was_left_out_is_in_no_figure_but_named() -> None:
    """With its reason."""
    overview = Overview()
    overview.leave(Left("a.ndjson", Reason.DOES_NOT_VERIFY, "version 3, chain: it does not hold"))

    document = overview.document()
    assert (document["games"], document["left"]) == (0, {"does_not_verify": 1})
    assert [each["name"] for each in document["left_games"]] == ["a.ndjson"]


def test_the_order_of_games_does_not_matter(played: tuple[PlayedGame, ...]) -> None:
    """Nor the process in which they were counted."""
    counted = [pickle.loads(pickle.dumps(count_game(each))) for each in played]  # noqa: S301 - our own

    assert overview_of(*counted) == overview_of(*reversed(counted))


def seat(kind: str, bot: str, *, won: bool = False, place: int = 0) -> SeatFigures:
    """A seat, which began unless it has another place."""
    return SeatFigures(place=place, kind=kind, bot=bot, won=won, score=3, left=False)


def game(seats: tuple[SeatFigures, ...], turns: int = 1, minutes: float | None = None) -> GameFigures:
    """A game with nothing else in it."""
    none = TradeFigures({}, {}, {}, {})
    return GameFigures("classic", 2, "over", turns, minutes, seats, none, 0, 0, {}, {}, {}, 0, 0)


def given(
    seconds: float,
    seat: int | None = None,
    *,
    before: GameState = WAITING,
    event: e.DomainEvent | None = None,
    counts: bool = True,
) -> Step:
    """A command so many seconds after the beginning: of a seat, of the host, or of the clock."""
    told = SimpleNamespace(
        at=BEGINNING + round(seconds * 1000),
        actor="host" if seat is None else f"seat:{seat}",
        command=c.Say("Well?"),
        event=event or e.Talked(seat or 0, "Well?"),
        before=before,
        counts=counts,
    )
    return cast("Step", told)
