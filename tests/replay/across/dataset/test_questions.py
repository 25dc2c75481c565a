"""The ten questions of docs/questions.md, put to a dataset by DuckDB; each answer is held against the records."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from math import floor
from pathlib import Path
from statistics import mean, median
from typing import Any, Final

import duckdb
import pytest

from events import domain_events as e
from replay.across.intervals import wilson
from replay.across.overview.wait_figures import Wait, list_waits
from replay.across.played_game import PlayedGame, Step
from replay.across.source import RecordFolder
from replay.terminal.table_text import is_dated
from replay.timeline.statistics.tally import card_values
from service.simulation.self_play import self_play
from tests.replay.across.dataset.datasets import write_dataset
from tests.replay.across.folders import write
from tests.support.recorded_games import RecordedGame

PAGE: Final = Path(__file__).parents[4] / "docs" / "questions.md"
Games = tuple[PlayedGame, ...]
Rows = list[tuple[Any, ...]]


def texts() -> dict[str, str]:
    """The texts in SQL by what stands before the dot, or the whole of their heading."""
    sections = re.split(r"^## ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return {
        section.partition("\n")[0].partition(".")[0]: re.findall(
            r"^```sql\n(.*?)^```", section, re.MULTILINE | re.DOTALL
        )[0]
        for section in sections
    }


def opened_in(dataset: Path) -> duckdb.DuckDBPyConnection:
    """DuckDB as if it had been started in the dataset's folder, with the views of the page."""
    opened = duckdb.connect()
    opened.execute(f"set file_search_path = '{dataset}'")
    opened.execute(texts()["The tables"])
    return opened


@pytest.fixture(scope="module")
def connection(dataset: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """The views of a dataset of all six systems."""
    with opened_in(dataset) as opened:
        yield opened


def ask(connection: duckdb.DuckDBPyConnection, number: int) -> Rows:
    """The answer to a question of the page."""
    return connection.execute(texts()[str(number)]).fetchall()


def effective(played: Games) -> Iterator[tuple[PlayedGame, Step]]:
    """The steps that count on the way to the end, with their games."""
    return ((game, step) for game in played for step in game.steps if step.in_effect)


def kind(game: PlayedGame, seat: int) -> str:
    """Who took a seat."""
    return game.end.seats[seat].away or game.end.seats[seat].kind


def rounded(rows: Rows) -> Rows:
    """The rows, with numbers that are no integers to nine digits."""
    return [tuple(round(each, 9) if isinstance(each, float) else each for each in row) for row in rows]


def test_there_are_ten_questions() -> None:
    """And the views that they use."""
    assert [*texts()] == ["The tables", *map(str, range(1, 11))]


def test_how_games_ended(connection: duckdb.DuckDBPyConnection, played: Games) -> None:
    """Question 1."""
    games = Counter((each.system, each.players, each.result.reason) for each in played)
    discarded = Counter[object]()
    for each in played:
        discarded[each.system, each.players, each.result.reason] += sum(
            last - first + 1 for first, last in each.report.discarded
        )

    assert ask(connection, 1) == [(*key, games[key], discarded[key]) for key in sorted(games)]
    assert len(games) > 10


def test_how_long_games_are(connection: duckdb.DuckDBPyConnection, played: Games) -> None:
    """Question 2."""
    grouped: dict[tuple[str, int], Games] = defaultdict(tuple)
    for each in played:
        grouped[each.system, each.players] += (each,)

    def minutes(game: PlayedGame) -> Iterator[float]:
        if is_dated(game.entries[-1].at):
            ended = next(step.at for step in game.steps if isinstance(step.event, e.GameEnded))
            yield from (
                (ended - step.at) / 60_000 for step in game.steps if isinstance(step.event, e.GameStarted)
            )

    expected = []
    for key in sorted(grouped):
        games = grouped[key]
        began = [each for each in games if each.end.turn]
        turns = float(median(each.end.turn for each in began))
        given = [
            sum(x.command is not None and x.actor.startswith("seat:") for x in each.entries) for each in began
        ]
        dated = [one for each in games for one in minutes(each)]
        numbers = len(games), len(began), len(dated)
        expected.append((*key, *numbers, turns, float(median(given)), median(dated) if dated else None))
    assert rounded(ask(connection, 2)) == rounded(expected)
    assert any(games > began for _, _, games, began, *_ in expected)
    assert any(games > dated for _, _, games, _, dated, *_ in expected)


def test_who_begins(connection: duckdb.DuckDBPyConnection, played: Games) -> None:
    """Question 3, its intervals by the function that shows those of simulated games."""
    seats, wins = Counter[tuple[str, int, int]](), Counter[tuple[str, int, int]]()
    for each in played:
        for seat in range(each.players) if each.end.turn else ():
            key = each.system, each.players, (seat - each.end.start_seat) % each.players
            seats[key] += 1
            wins[key] += seat in each.result.winners

    def fair(system: str, players: int) -> float:
        games = [x for x in played if (x.system, x.players) == (system, players) and x.end.turn]
        return sum(len(each.result.winners) for each in games) / (players * len(games))

    expected = [
        (*key, seats[key], wins[key], fair(*key[:2]), *wilson(wins[key], seats[key])) for key in sorted(seats)
    ]
    answer = ask(connection, 3)
    assert rounded(answer) == rounded(expected)
    assert {row[5] for row in answer} - {1 / row[1] for row in answer}


def test_bots_and_people(connection: duckdb.DuckDBPyConnection, played: Games) -> None:
    """Question 4."""
    found: dict[tuple[str, str, str], list[tuple[bool, float, int]]] = defaultdict(list)
    for each in played:
        kinds = [kind(each, seat) for seat in range(each.players)]
        if {"human", "bot"} <= {*kinds} and each.result.scores:
            for seat, score in enumerate(each.result.scores):
                own = each.end.seats[seat]
                bot = "" if own.away else own.bot
                fair = len(each.result.winners) / each.players
                found[each.system, kinds[seat], bot].append((seat in each.result.winners, fair, score))

    expected = [
        (*key, len(found[key]), *(float(mean(figures)) for figures in zip(*found[key], strict=True)))
        for key in sorted(found)
    ]
    answer = ask(connection, 4)
    assert rounded(answer) == rounded(expected)
    assert {row[1] for row in answer} >= {"human", "bot"}


def test_who_is_waited_for(connection: duckdb.DuckDBPyConnection, played: Games) -> None:
    """Question 5."""
    waits: dict[tuple[str, str], list[Wait]] = defaultdict(list)
    for game in played:
        for wait in list_waits(tuple(game.steps)):
            waits[kind(game, wait.seat), wait.phase].append(wait)

    answer = ask(connection, 5)
    assert len(answer) > 10
    assert {(row[0], row[1]): row[2:5] for row in answer} == {
        key: (
            len(each),
            sum(wait.has_expired for wait in each),
            sum(wait.milliseconds for wait in each) / 1000,
        )
        for key, each in waits.items()
    }
    for who, phase, count, _expired, _seconds, half, most in answer:
        # DuckDB's quantile is one of the values; which of two neighbours is its own affair.
        ordered = sorted(wait.milliseconds for wait in waits[who, phase])
        for share, value in ((0.5, half), (0.95, most)):
            place = floor((count - 1) * share)
            assert value in ordered[max(0, place - 1) : place + 2]
    assert [row[4] for row in answer] == sorted((row[4] for row in answer), reverse=True)
    assert sum(row[3] for row in answer) > 10


def test_what_fields_pay(connection: duckdb.DuckDBPyConnection, played: Games) -> None:
    """Question 6."""
    paid: dict[tuple[str, str, int], list[int]] = defaultdict(list)
    for game, step in effective(played):
        if isinstance(step.event, e.FieldHarvested | e.FieldPaidFromPiles):
            varieties = {bean.card: bean.variety for bean in game.header.catalogue.beans}
            cards = step.event.cards
            paid[game.system, varieties[cards[-1]], len(cards)].append(step.event.coins)

    expected = [(*key, len(paid[key]), float(mean(paid[key])), paid[key].count(0)) for key in sorted(paid)]
    assert rounded(ask(connection, 6)) == rounded(expected)
    assert len(paid) > 100


def test_one_card_for_one(connection: duckdb.DuckDBPyConnection, played: Games) -> None:
    """Question 7."""
    found = Counter(
        (game.system, step.event.active_cards[0], step.event.partner_cards[0])
        for game, step in effective(played)
        if isinstance(step.event, e.TradeMade)
        and len(step.event.active_cards) == len(step.event.partner_cards) == 1
    )

    ordered = sorted(found, key=lambda key: (-found[key], key))
    assert ask(connection, 7) == [(*key, found[key]) for key in ordered]
    assert len(found) > 50


def test_what_offers_become(connection: duckdb.DuckDBPyConnection, played: Games) -> None:
    """Question 8: accepted are those that a trade names which counts."""
    offers, accepted = Counter[tuple[str, bool, bool]](), Counter[tuple[str, bool, bool]]()
    entries: dict[tuple[str, bool, bool], list[int]] = defaultdict(list)
    for game in played:
        there: dict[int, Step] = {}
        for step in game.steps:
            match step.event:
                case e.OfferMade(offer=offer, to=to, want=want, want_revealed=revealed, want_spared=spared):
                    there[offer] = step
                    key = game.system, to is None, not (want or revealed or spared)
                    offers[key] += step.counts
                case e.TradeMade(offer=offer) if there[offer].counts and step.in_effect:
                    made = there[offer].event
                    assert isinstance(made, e.OfferMade)
                    key = (
                        game.system,
                        made.to is None,
                        not (made.want or made.want_revealed or made.want_spared),
                    )
                    accepted[key] += 1
                    entries[key].append(step.version - there[offer].version)

    answer = ask(connection, 8)
    assert answer == [
        (*key, offers[key], accepted[key], float(median(entries[key])) if entries[key] else None)
        for key in sorted(key for key in offers if offers[key])
    ]
    assert sum(row[4] for row in answer) > 100


def test_who_gives_more(connection: duckdb.DuckDBPyConnection, played: Games) -> None:
    """Question 9."""
    surplus: dict[tuple[str, str], float] = defaultdict(float)
    trades = Counter[tuple[str, str]]()
    games: dict[tuple[str, str], set[str]] = defaultdict(set)
    for game, step in effective(played):
        values = card_values(game.header.catalogue)
        match step.event:
            case e.TradeMade(active=one, partner=other, active_cards=given, partner_cards=received):
                pass
            case e.GiftGiven(seat=one, to=other, card=card):
                given, received = (card,), ()
            case _:
                continue
        more = sum(values.get(each, 0.0) for each in given) - sum(values.get(each, 0.0) for each in received)
        for giver, receiver, by in ((one, other, more), (other, one, -more)):
            pair = game.end.seats[giver].name, game.end.seats[receiver].name
            surplus[pair] += by
            trades[pair] += 1
            games[pair].add(game.game)

    answer = ask(connection, 9)
    assert {row[:4] for row in answer} == {
        (*pair, trades[pair], len(games[pair])) for pair, each in surplus.items() if each > 1e-5
    }
    for row in answer:
        assert row[4] == pytest.approx(surplus[row[0], row[1]], abs=1e-4)
    assert len(answer) > 5


def test_why_games_went_back(connection: duckdb.DuckDBPyConnection, played: Games) -> None:
    """Question 10."""
    found: dict[tuple[str, bool], list[tuple[int, bool]]] = defaultdict(list)
    for game in played:
        for step in game.steps:
            if isinstance(step.event, e.GameRewound):
                key = game.system, step.event.case > 0
                found[key].append((step.version - 1 - step.event.to_version, bool(step.event.redeal)))

    assert ask(connection, 10) == [
        (*key, len(found[key]), sum(each for each, _ in found[key]), sum(anew for _, anew in found[key]))
        for key in sorted(found)
    ]
    assert sum(map(len, found.values())) == 13


def test_every_question_can_be_put_to_games_that_have_nothing_of_a_table(tmp_path: Path) -> None:
    """As simulated games have no times: the views stand, and the answer is empty."""
    table, log = self_play("classic", 3, ("greedy", "greedy", "random"), "a", {}, game="simulated")
    write(tmp_path / "records" / "game.ndjson", RecordedGame(table, tuple(log)).record())
    folder = write_dataset(tmp_path / "dataset", RecordFolder(tmp_path / "records"))

    with opened_in(folder) as connection:
        answers = {number: ask(connection, number) for number in range(1, 11)}

    assert answers[5] == answers[10] == []
    assert all(answers[number] for number in (1, 2, 3, 6))
