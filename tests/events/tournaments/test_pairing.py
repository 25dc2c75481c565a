"""Who meets whom follows from the log alone, and is fair: laws over many made-up tournaments."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import Final

import pytest

from events.tournaments import commands as c
from events.tournaments.events import TournamentCreated
from events.tournaments.evolve import fold
from events.tournaments.pairing.grouping import group_players
from events.tournaments.pairing.history import Meetings, count_byes, count_meetings, count_seats
from events.tournaments.pairing.pair import pair_round
from events.tournaments.pairing.sizes import plan_tables
from events.tournaments.scoring.standings import compute_standings
from events.tournaments.state import DUPLICATE, FORMATS, KNOCKOUT, LEAGUE, SWISS, Tournament
from tests.events.tournaments.given import Host, settings

KINDS: Final = (
    settings(KNOCKOUT, (2,)),
    settings(KNOCKOUT, (4, 3, 5)),
    settings(LEAGUE, (2,), 9),
    settings(LEAGUE, (3, 4), 5),
    settings(SWISS, (2,), 5),
    settings(SWISS, (4, 3, 5), 5),
    settings(SWISS, (7, 6), 4),
    settings(DUPLICATE, (4,), 6),
)
"""A tournament of each format, of two and of more at a table."""
every_kind = pytest.mark.parametrize(
    "kind", KINDS, ids=lambda each: f"{each.format}-{'-'.join(map(str, each.sizes))}"
)
FIELDS: Final = (7, 10, 26)


def played(kind: TournamentCreated) -> tuple[Host, ...]:
    """Tournaments of this kind that were played to their end; in each one player withdraws after the first round."""
    return _played(KINDS.index(kind))


@cache
def _played(number: int) -> tuple[Host, ...]:
    hosts = []
    for chance, players in enumerate(FIELDS):
        host = Host(KINDS[number], players, chance)
        host.begin()
        host.play_round()
        if host.tournament.standings is None:
            host.do(c.WithdrawPlayer(host.tournament.present[chance]))
        host.play()
        hosts.append(host)
    return tuple(hosts)


def before_each_round(host: Host) -> Iterator[Tournament]:
    """The tournament as it was whenever a round was paired."""
    for number, each in enumerate(host.happened):
        if type(each.event).__name__ == "RoundPaired":
            tournament = fold(host.happened[:number])
            assert tournament is not None
            yield tournament


@every_kind
def test_everybody_plays_once_a_round_or_has_a_bye(kind: TournamentCreated) -> None:
    """Nobody is left out and nobody is at two tables, and no table has a size that is not allowed."""
    for host in played(kind):
        for before, paired in zip(before_each_round(host), host.tournament.rounds, strict=True):
            seated = Counter(player for table in paired.tables for player in table.players)
            assert set((seated + Counter(paired.byes)).values()) == {1}
            if kind.format != KNOCKOUT:
                assert {*seated, *paired.byes} == {*before.present}
            assert {len(table.players) for table in paired.tables} <= {*kind.sizes}


@every_kind
def test_a_pairing_is_found_again_by_everybody(kind: TournamentCreated) -> None:
    """Folding the log up to a pairing and pairing again gives the round that was played."""
    for host in played(kind):
        for before, paired in zip(before_each_round(host), host.tournament.rounds, strict=True):
            again = pair_round(before)
            assert again is not None
            assert (again.seed, again.byes, again.deal) == (paired.seed, paired.byes, paired.deal)
            assert again.tables == tuple(table.players for table in paired.tables)


@every_kind
def test_a_pairing_does_not_hang_on_the_order_of_equal_players_but_on_each_seed(
    kind: TournamentCreated,
) -> None:
    """One player's seed changes the lots of everybody; without the secret nobody knows how."""
    one, other = Host(kind, 12, 1), Host(kind, 11, 1)
    other.register("p011", seed="another")
    one.begin()
    other.begin()
    assert one.tournament.present == other.tournament.present
    assert one.round.seed != other.round.seed
    assert [table.players for table in one.round.tables] != [table.players for table in other.round.tables]


@every_kind
def test_nobody_has_a_second_bye_before_everybody_had_one(kind: TournamentCreated) -> None:
    """Of those who are paired, whoever has a bye has had no more of them than anybody else."""
    for host in played(kind):
        for before, paired in zip(before_each_round(host), host.tournament.rounds, strict=True):
            had = count_byes(before)
            others = [had[player] for table in paired.tables for player in table.players]
            assert all(had[player] <= min(others) for player in paired.byes)


@pytest.mark.parametrize(
    "kind", [each for each in KINDS if each.format == SWISS], ids=lambda each: each.sizes[0]
)
def test_a_bye_in_swiss_goes_to_the_last_in_the_table(kind: TournamentCreated) -> None:
    """Of those with fewest byes nobody who is paired stands behind a player with a bye, tie-breaks included."""
    for host in played(kind):
        for before, paired in zip(before_each_round(host), host.tournament.rounds, strict=True):
            had = count_byes(before)
            place = {row.player: row.place for row in compute_standings(before)}
            seated = [player for table in paired.tables for player in table.players]
            for player in paired.byes:
                assert all(place[each] <= place[player] for each in seated if had[each] == had[player])


@pytest.mark.parametrize("form", [SWISS, LEAGUE, DUPLICATE])
@pytest.mark.parametrize("size", [2, 4])
def test_seats_are_shared_out(form: str, size: int) -> None:
    """After two rounds for each seat nobody has sat in one of them more than twice as often than is their share."""
    host = Host(settings(form, (size,), 2 * size), 4 * size)
    host.play()
    seats = count_seats(host.tournament)
    for player in host.tournament.present:
        sat = [seats[player, seat] for seat in range(size)]
        assert sum(sat) == 2 * size
        assert max(sat) <= 3
        assert min(sat) >= 1


def test_in_a_league_of_two_everybody_meets_everybody_once_before_anybody_twice() -> None:
    """The round robin, with an odd and with an even number of players."""
    for players in (5, 6, 9):
        rounds = players if players % 2 else players - 1
        host = Host(settings(LEAGUE, (2,), rounds), players)
        host.play()
        assert set(count_meetings(host.tournament).values()) == {1}
        assert len(count_meetings(host.tournament)) == players * (players - 1) // 2


def test_a_league_at_larger_tables_is_as_even_as_pods_allow() -> None:
    """Nine players at tables of three: in four rounds there are as many meetings as pairs, and few come twice."""
    host = Host(settings(LEAGUE, (3,), 4), 9)
    host.play()
    assert max(count_meetings(host.tournament).values()) <= 2
    assert len(count_meetings(host.tournament)) >= 27


def fewest_repeats(order: tuple[str, ...], sizes: tuple[int, ...], meetings: Meetings) -> int:
    """The fewest meetings that any arrangement repeats, found by trying each one: written anew, for comparison."""
    if not order:
        return 0
    left, found = list(sizes), []
    size = left.pop(0)
    for group in combinations(order, size):
        rest = tuple(each for each in order if each not in group)
        own = sum(meetings[min(pair), max(pair)] for pair in combinations(group, 2))
        found.append(own + fewest_repeats(rest, tuple(left), meetings))
    return min(found)


@pytest.mark.parametrize(("players", "sizes"), [(6, (2,) * 3), (8, (4, 4)), (8, (3, 3, 2)), (9, (3,) * 3)])
def test_repeats_are_as_few_as_can_be_in_small_fields(players: int, sizes: tuple[int, ...]) -> None:
    """Compared with every other way to sit, round after round."""
    order = tuple(f"p{number}" for number in range(players))
    meetings: Meetings = Counter()
    for _ in range(6):
        groups = group_players(order, sizes, meetings, {})
        repeated = sum(meetings[min(pair), max(pair)] for group in groups for pair in combinations(group, 2))
        assert repeated == fewest_repeats(order, sizes, meetings)
        meetings.update((min(pair), max(pair)) for group in groups for pair in combinations(group, 2))


def test_in_a_large_field_nobody_meets_again_while_there_are_enough_others() -> None:
    """Forty players at tables of four, three rounds: places are changed until nothing is repeated."""
    host = Host(settings(LEAGUE, (4,), 3), 40)
    host.play()
    assert max(count_meetings(host.tournament).values()) == 1


def test_swiss_tables_hold_players_with_about_as_many_points() -> None:
    """In the second round of sixteen at tables of four, the four winners meet, as nobody has met before."""
    host = Host(settings(SWISS, (4,), 2), 16)
    host.begin()
    for table in range(1, 5):
        host.finish(table, 12, 9, 6, 3)
    winners = {table.players[0] for table in host.round.tables}
    host.move_on()
    assert {*host.round.tables[0].players} == winners


@pytest.mark.parametrize(
    ("players", "sizes", "planned"),
    [
        (3, (4, 3, 5), (3,)),
        (5, (4, 3, 5), (5,)),
        (6, (4, 3, 5), (3, 3)),
        (7, (4, 3, 5), (4, 3)),
        (11, (4, 3, 5), (4, 4, 3)),
        (11, (5, 3, 4), (5, 3, 3)),
        (13, (4,), (4, 4, 4)),
        (9, (2,), (2, 2, 2, 2)),
    ],
)
def test_as_few_as_possible_wait_and_tables_have_the_wanted_size(
    players: int, sizes: tuple[int, ...], planned: tuple[int, ...]
) -> None:
    """Sizes that are wanted less are used where somebody would have a bye without them."""
    assert plan_tables(players, sizes) == planned


def test_every_format_is_tried_here() -> None:
    """The laws above hold for each of them."""
    assert {kind.format for kind in KINDS} == {*FORMATS}
