"""The figures of an overview are those of the games: held against the dataset's tables and the records."""

import pickle
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from replay.across.intervals import wilson
from replay.across.left import Left, Reason
from replay.across.overview.game_figures import GameFigures, SeatFigures, WaitFigures, count_game
from replay.across.overview.overview import Overview
from replay.across.played_game import PlayedGame
from tests.replay.across.dataset.datasets import rows_of


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


def test_trades_of_one_card_for_one_and_gifts_are_counted(
    played: tuple[PlayedGame, ...], dataset: Path
) -> None:
    """Either way round is the same pair; what was given for nothing is told by variety."""
    counted = [count_game(each) for each in played]
    rows = [row for row in rows_of(dataset, "trades") if row["counts"]]
    one_for_one = [row for row in rows if len(row["given"]) == len(row["received"]) == 1]
    for_nothing = [row for row in rows if not row["given"] or not row["received"]]

    assert sum(sum(each.swaps.values()) for each in counted) == len(one_for_one) > 50
    assert sum(sum(each.gifts.values()) for each in counted) == sum(
        len(row["given"]) + len(row["received"]) for row in for_nothing
    )
    assert all(one <= other for each in counted for one, other in each.swaps)


def test_waits_are_those_of_the_table_of_times(document: dict[str, Any], dataset: Path) -> None:
    """By who sits there and phase; the classes of length hold all of them."""
    kinds = {(row["game"], row["seat"]): row["kind"] for row in rows_of(dataset, "seats")}
    waits, milliseconds = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for row in rows_of(dataset, "times"):
        if row["waited_for"] == 1 and row["acted"] and row["counts"]:
            key = kinds[row["game"], row["seat"]], row["phase"]
            waits[key] += 1
            milliseconds[key] += row["milliseconds"]

    assert {(each["kind"], each["phase"]): each["waits"] for each in document["waits"]} == waits
    for each in document["waits"]:
        assert each["seconds"] == pytest.approx(milliseconds[each["kind"], each["phase"]] / 1000)
        assert sum(each["within_seconds"].values()) == each["waits"]


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
        turns = [row["turns"] for row in games if row["turns"] and row["system"] == each["system"]]
        assert (
            min(turns)
            <= each["turns"]["least"]
            <= each["turns"]["median"]
            <= each["turns"]["most"]
            <= max(turns)
        )


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


def seat(kind: str, bot: str, *, won: bool = False) -> SeatFigures:
    """A seat that began."""
    return SeatFigures(place=0, kind=kind, bot=bot, won=won, score=3, left=False)


def game(seats: tuple[SeatFigures, ...], turns: int = 1) -> GameFigures:
    """A game with nothing else in it."""
    return GameFigures("classic", 2, "over", turns, None, seats, {}, {}, 0, 0, {}, {}, {}, 0, 0)
