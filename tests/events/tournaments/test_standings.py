"""Who is ahead: points of a table, matchpoints, tie-breaks, rulings, and that no order of equal inputs matters."""

from itertools import permutations

import pytest

from events.tournaments import commands as c
from events.tournaments.events import Standing, TournamentFinished
from events.tournaments.scoring.points import BYE, WHOLE, round_points
from events.tournaments.scoring.standings import compute_standings, figures_of
from events.tournaments.state import DUPLICATE, KNOCKOUT, LEAGUE, SWISS, Outcome, Round, Table
from tests.events.tournaments.given import Host, settings, with_players


def points_of(*outcomes: Outcome, form: str = SWISS, size: int = 4) -> list[list[int]]:
    """What each seat of these tables of a round gets."""
    tables = tuple(
        Table(tuple(f"{number}/{seat}" for seat in range(size)), outcome=outcome)
        for number, outcome in enumerate(outcomes)
    )
    points = round_points(Round(1, 0, "", tables), form)
    return [[points[player] for player in table.players] for table in tables]


@pytest.mark.parametrize(
    ("outcome", "expected"),
    [
        (Outcome("played", (0,), (9, 8, 7, 6)), [WHOLE, WHOLE * 2 // 3, WHOLE // 3, 0]),
        (Outcome("played", (0,), (9, 9, 7, 6)), [WHOLE, WHOLE * 2 // 3, WHOLE // 3, 0]),
        (Outcome("played", (0, 1), (9, 9, 7, 7)), [WHOLE * 5 // 6, WHOLE * 5 // 6, WHOLE // 6, WHOLE // 6]),
        (Outcome("played", (1,), (12, 9, 7, 6), (0,)), [0, WHOLE, WHOLE * 2 // 3, WHOLE // 3]),
        (Outcome("awarded", (3,)), [WHOLE // 3, WHOLE // 3, WHOLE // 3, WHOLE]),
        (Outcome("annulled"), [BYE, BYE, BYE, BYE]),
        (Outcome("late", last=(2,)), [BYE, BYE, 0, BYE]),
    ],
    ids=["in order", "a tie that was broken", "ties", "who left is last", "awarded", "annulled", "late"],
)
def test_a_table_is_worth(outcome: Outcome, expected: list[int]) -> None:
    """What each seat gets of a table; all of a table that was decided share the same sum, whatever became of it."""
    assert points_of(outcome) == [expected]


def test_in_a_duplicate_round_seats_are_compared_with_the_same_seat_elsewhere() -> None:
    """The poorest of a table is ahead where everybody else did even worse with these cards."""
    points = points_of(
        Outcome("played", (0,), (20, 5)),
        Outcome("played", (0,), (18, 4)),
        Outcome("played", (0,), (20, 3)),
        form=DUPLICATE,
        size=2,
    )
    assert points == [[WHOLE * 3 // 4, WHOLE], [0, WHOLE // 2], [WHOLE * 3 // 4, 0]]


def test_an_annulled_table_of_a_duplicate_round_is_compared_with_nobody() -> None:
    """Its players get what a bye is worth, and the others are compared among themselves."""
    points = points_of(
        Outcome("played", (0,), (20, 5)),
        Outcome("annulled"),
        Outcome("played", (1,), (4, 9)),
        form=DUPLICATE,
        size=2,
    )
    assert points == [[WHOLE, 0], [BYE, BYE], [0, WHOLE]]


def test_the_only_table_of_a_duplicate_round_has_nothing_to_be_compared_with() -> None:
    """Everybody gets what a bye is worth."""
    assert points_of(Outcome("played", (0,), (20, 5)), form=DUPLICATE, size=2) == [[BYE, BYE]]


def test_standings_do_not_hang_on_the_order_of_the_players() -> None:
    """Whoever registered first, and whatever order they are counted in, the table is the same."""
    host = Host(settings(SWISS, (2,), 2), 4)
    tournament = host.play()
    expected = compute_standings(tournament)
    for order in permutations(tournament.players):
        assert compute_standings(with_players(tournament, order)) == expected
    assert tournament.standings == expected


def test_those_who_cannot_be_told_apart_share_a_place() -> None:
    """Two tables with the same result: two first places, two third ones, in the order of their ids."""
    host = Host(settings(SWISS, (2,), 1), 4)
    host.begin()
    host.finish(1, 10, 5)
    host.finish(2, 10, 5)
    host.move_on()
    rows = host.tournament.standings or ()
    assert [row.place for row in rows] == [1, 1, 3, 3]
    assert [row.player for row in rows[:2]] == sorted(row.player for row in rows[:2])


def test_places_follow_the_figures_in_their_order() -> None:
    """No line stands above one whose figures are better."""
    for form in (LEAGUE, SWISS, KNOCKOUT, DUPLICATE):
        host = Host(settings(form, (4,), 4), 9)
        rows = host.play().standings or ()
        assert list(rows) == sorted(
            rows, key=lambda row: (*(-figure for figure in figures_of(row)), row.player)
        )
        assert all(
            (one.place == other.place) == (figures_of(one) == figures_of(other))
            for one in rows
            for other in rows
        )


def test_a_bye_is_worth_the_middle_of_a_table() -> None:
    """Three players, tables of two: whoever has the bye stands between winner and loser."""
    host = Host(settings(SWISS, (2,), 1), 3)
    host.begin()
    host.finish(1, 10, 5)
    host.move_on()
    rows = host.tournament.standings or ()
    assert [row.points for row in rows] == [WHOLE, BYE, 0]
    assert [row.byes for row in rows] == [0, 1, 0]


def test_the_winner_of_the_final_wins_a_knockout() -> None:
    """Eight players: whoever wins all three rounds is first, and whoever they beat in the final is second."""
    host = Host(settings(KNOCKOUT, (2,)), 8)
    tournament = host.play()
    assert [len(each.tables) for each in tournament.rounds] == [4, 2, 1]
    final = tournament.rounds[-1].tables[0]
    assert final.outcome is not None
    rows = tournament.standings or ()
    assert rows[0].wins == 3 or len(final.outcome.winners) > 1
    assert {row.player for row in rows[:2]} == {*final.players}


def test_too_few_winners_are_made_up_by_the_best_of_the_others() -> None:
    """Six players at tables of three: two win, and the better of the others makes the final."""
    host = Host(settings(KNOCKOUT, (3,)), 6)
    host.begin()
    host.finish(1, 10, 9, 1)
    host.finish(2, 10, 8, 1)
    first, second = host.round.tables
    host.move_on()
    assert {*host.round.tables[0].players} == {first.players[0], second.players[0], first.players[1]}


def row_of(rows: tuple[Standing, ...], player: str) -> Standing:
    """A player's line."""
    return next(row for row in rows if row.player == player)


def test_a_ruling_counts_in_place_of_what_it_is_about_and_the_table_is_computed_again() -> None:
    """A result that is replaced after the end changes points, wins, coins and the final table."""
    host = Host(settings(SWISS, (2,), 1), 2)
    host.begin()
    host.finish(1, 10, 5)
    host.move_on()
    first, second = host.round.tables[0].players
    assert (host.tournament.standings or ())[0].player == first
    events = host.do(c.RuleTable(1, 1, "replaced", "Coins were counted twice.", (1,), (4, 5)), "key_arbiter")
    assert [type(each) for each in events][1:] == [TournamentFinished]
    rows = host.tournament.standings or ()
    assert (rows[0].player, rows[0].coins, rows[0].wins) == (second, 5, 1)
    host.do(c.RuleTable(1, 1, "annulled", "A bot had the wrong version."), "key_arbiter")
    assert {row.points for row in host.tournament.standings or ()} == {BYE}
