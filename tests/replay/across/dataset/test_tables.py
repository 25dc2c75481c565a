"""What stands in the tables is what was played: each held against the record, folded in another way."""

from collections import Counter
from pathlib import Path

import msgspec
import pytest

from events import domain_events as e
from events.domain_events import AnyEvent
from events.log.codec import event_type
from replay.across.dataset.format import TABLES
from replay.across.dataset.tables.offers import offer_rows
from replay.across.dataset.told_game import ToldGame
from replay.across.played_game import PlayedGame
from replay.across.source import RecordFolder
from replay.timeline.statistics.tally import Tally
from replay.timeline.timeline import Step as TimelineStep
from tests.replay.across.dataset.datasets import NAMES, fold_all, rows_of
from tests.replay.across.folders import write
from tests.support.ruled_games import disputed_record

SYSTEMS = {"bean-duel", "classic", "extended", "ladybohn", "ladybohn-expansion", "the-duel"}


def statistics(game: PlayedGame) -> Tally:
    """The figures of a game as `fieldbook replay stats` counts them."""
    tally = Tally(game.header.catalogue, -2)
    for step in game.steps:
        if step.in_effect:
            form = step.entry.form
            tally.add(TimelineStep(form, step.event, step.command, step.after))
    return tally


def test_every_game_has_its_row_and_every_seat(dataset: Path, played: tuple[PlayedGame, ...]) -> None:
    """Of all six systems."""
    games = {row["game"]: row for row in rows_of(dataset, "games")}
    seats = Counter(row["game"] for row in rows_of(dataset, "seats"))

    assert {row["system"] for row in games.values()} == SYSTEMS
    assert sorted(games) == sorted(each.game for each in played)
    for each in played:
        row = games[each.game]
        assert (row["head"], row["entries"]) == (each.report.head, each.report.entries)
        assert (row["reason"], tuple(row["winners"])) == (each.result.reason, each.result.winners)
        assert row["discarded"] == sum(last - first + 1 for first, last in each.report.discarded)
        assert (
            seats[each.game]
            == row["players"]
            == row["people"]
            + row["programs"]
            + row["bots"]
            + (row["players"] - sum(bool(seat.kind) for seat in each.end.seats))
        )


def test_every_entry_is_an_event_that_reads_the_same(dataset: Path, played: tuple[PlayedGame, ...]) -> None:
    """The data of each row, with its type, is the event of the record."""
    rows = {(row["game"], row["version"]): row for row in rows_of(dataset, "events")}
    decode = msgspec.json.Decoder(AnyEvent).decode

    assert len(rows) == sum(len(each.entries) for each in played)
    for each in played:
        for step in each.steps:
            row = rows[each.game, step.version]
            assert row["event"] == event_type(step.event)
            assert row["counts"] is step.counts
            written = f'{{"type":"{row["event"]}",{row["data"][1:]}'.replace(",}", "}")
            assert decode(written.encode()) == step.event


def test_commands_and_their_events_are_all_entries(dataset: Path, played: tuple[PlayedGame, ...]) -> None:
    """From the version of a command so many events follow, up to the next command."""
    found: dict[str, list[tuple[int, int]]] = {each.game: [] for each in played}
    for row in rows_of(dataset, "commands"):
        found[row["game"]].append((row["version"], row["events"]))

    for each in played:
        begins = [entry.version for entry in each.entries if entry.command is not None]
        assert [version for version, _ in found[each.game]] == begins
        assert sum(events for _, events in found[each.game]) == len(each.entries)


def test_trades_harvests_and_offers_are_those_that_statistics_count(
    dataset: Path, played: tuple[PlayedGame, ...]
) -> None:
    """Seat by seat, as another part of the program counts them."""
    harvests, coins, offers, outcomes, trades = (
        Counter[object](),
        Counter[object](),
        Counter[object](),
        Counter[object](),
        Counter[object](),
    )
    for row in rows_of(dataset, "harvests"):
        if row["counts"]:
            harvests[row["game"], row["seat"]] += 1
            coins[row["game"], row["seat"]] += row["coins"]
    rewound = {each.game for each in played if each.rewindings}
    for row in rows_of(dataset, "offers"):
        offers[row["game"], row["seat"]] += 1
        outcomes[row["game"], row["seat"], row["outcome"]] += 1
    for row in rows_of(dataset, "trades"):
        if row["counts"] and row["kind"] == "trade":
            trades[row["game"], row["seat"]] += 1
            trades[row["game"], row["partner"]] += 1

    assert rewound
    assert sum(trades.values()) > 100
    for each in played:
        for own in statistics(each).statistics().seats:
            place = each.game, own.seat
            assert harvests[place] == own.harvests
            assert coins[place] == own.coins_from.get("harvests", 0)
            assert trades[place] == sum(partner.trades for partner in own.trades)
            if each.game not in rewound:
                assert offers[place] == own.offers
                assert outcomes[*place, "accepted"] == own.offers_accepted
                assert outcomes[*place, "withdrawn"] == own.offers_withdrawn
                if each.system != "the-duel":  # there a gift that is pushed declines, and says so in no event
                    assert outcomes[*place, "declined"] == own.offers_refused
                    assert outcomes[*place, "lapsed"] == own.offers_lapsed


@pytest.mark.parametrize(("system", "players"), [("classic", 3), ("extended", 4), ("the-duel", 2)])
def test_an_offer_is_open_exactly_while_it_lies_on_the_table(
    tmp_path: Path, system: str, players: int
) -> None:
    """In games that went back, too: at each version the offers on the table are those that rows say are open."""
    for seed in range(20, 26):
        write(tmp_path / f"{seed}.ndjson", disputed_record(seed, system, players).record())
    for game in fold_all(RecordFolder(tmp_path)):
        rows = list(offer_rows(ToldGame(game, NAMES)))

        assert {row.outcome for row in rows} <= {"accepted", "declined", "withdrawn", "lapsed", "rewound"}
        for step in game.steps:
            there = {offer.number for offer in step.after.offers}
            open_now = {row.offer for row in rows if row.version <= step.version < row.closed}
            # What came back when the game did was closed once before, and a row has its last end only.
            assert there <= open_now
            if not game.rewindings:
                assert open_now == there


def test_what_went_back_is_marked_and_counts_in_no_score(
    dataset: Path, played: tuple[PlayedGame, ...]
) -> None:
    """The coins of harvests that count are those of the scores' stacks; with the others they are more."""
    rows = rows_of(dataset, "harvests")

    assert any(not row["counts"] for row in rows)
    went_back = [each for each in played if each.rewindings]
    assert len(went_back) > 3
    assert {row["game"] for row in rows if not row["counts"]} <= {each.game for each in went_back}


def test_times_add_up_to_the_time_in_which_somebody_was_waited_for(told: tuple[ToldGame, ...]) -> None:
    """And games that no clock saw have none."""
    tables = {table.name: table for table in TABLES}
    for each in told:
        rows = list(tables["times"].rows(each))
        if not each.is_dated:
            assert rows == []
            continue
        whole = each.played.entries[-1].at - each.played.entries[0].at
        by_stretch = {row[3]: row[-2] for row in rows}
        assert 0 <= sum(by_stretch.values()) <= whole
        if each.played.result.reason != "never_begun":
            assert sum(by_stretch.values()) > whole / 2


def test_a_game_that_never_began_has_no_order_of_play(dataset: Path) -> None:
    """Nor a length."""
    [game] = [row for row in rows_of(dataset, "games") if row["reason"] == "never_begun"]
    seats = [row for row in rows_of(dataset, "seats") if row["game"] == game["game"]]

    assert (game["started"], game["milliseconds"], game["turns"]) == (None, None, 0)
    assert [row["place"] for row in seats] == [None] * game["players"]


def test_simulated_games_have_no_dates(dataset: Path) -> None:
    """They lie in the month `undated`, and their times are null."""
    undated = [row for row in rows_of(dataset, "games") if row["month"] == "undated"]

    assert {row["system"] for row in undated} == SYSTEMS
    assert all(row["began"] is row["ended"] is row["milliseconds"] is None for row in undated)
    assert all(row["at"] is None for row in rows_of(dataset, "events") if row["month"] == "undated")


def test_no_event_takes_part_in_an_offer_that_is_gone(told: tuple[ToldGame, ...]) -> None:
    """Each trade names an offer that has a row, and is told there as accepted by the other side."""
    for each in told:
        accepted = {(row.offer, row.closed): row for row in offer_rows(each) if row.outcome == "accepted"}
        for step in each.steps:
            if isinstance(step.event, e.TradeMade) and step.in_effect:
                row = accepted[step.event.offer, step.version]
                assert {row.seat, row.accepted_by} == {step.event.active, step.event.partner}
