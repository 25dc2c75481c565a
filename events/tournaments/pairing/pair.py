"""The next round of a tournament, as everybody can compute it from its log."""

from collections.abc import Sequence

from events.tournaments.events import RoundPaired, Standing
from events.tournaments.pairing.circle import Group, pair_by_circle
from events.tournaments.pairing.grouping import group_players
from events.tournaments.pairing.history import count_byes, count_meetings, count_seats
from events.tournaments.pairing.presence import who_plays
from events.tournaments.pairing.seating import seat_players
from events.tournaments.pairing.sizes import plan_tables
from events.tournaments.scoring.standings import compute_standings
from events.tournaments.seeds import deal_seed, draw_lots, round_seed
from events.tournaments.state import DUPLICATE, KNOCKOUT, LEAGUE, SWISS, Tournament


def pair_round(tournament: Tournament) -> RoundPaired | None:
    """The next round; None where there is none. Its lot decides whatever the rules of the format leave open."""
    players = who_plays(tournament)
    if not players:
        return None
    number = len(tournament.rounds) + 1
    seed = round_seed(tournament, number)
    lot = draw_lots(seed, players)
    if _goes_round(tournament):
        # The first round's lot decides once for all who stands where.
        groups, byes = pair_by_circle(draw_lots(round_seed(tournament, 1), players), number)
    else:
        standings = compute_standings(tournament) if tournament.settings.format == SWISS else ()
        order = _by_points(lot, standings)
        sizes = plan_tables(len(order), tournament.settings.sizes)
        byes = choose_byes(tournament, _by_place(lot, standings), len(order) - sum(sizes))
        order = tuple(each for each in order if each not in byes)
        groups = _group(tournament, order, sizes, standings)
    seats = count_seats(tournament)
    return RoundPaired(
        round=number,
        seed=seed,
        tables=tuple(seat_players(sorted(group, key=lot.index), seats) for group in groups),
        byes=tuple(sorted(byes)),
        deal=deal_seed(tournament, number) if tournament.settings.format == DUPLICATE else "",
    )


def count_tables(tournament: Tournament) -> int:
    """Return how many tables the next round has with the players who are present now; 0 if there is no next round."""
    return len(plan_tables(len(who_plays(tournament)), tournament.settings.sizes))


def choose_byes(tournament: Tournament, order: Sequence[str], count: int) -> Group:
    """Return the players with a bye: those with fewest byes so far, and of these the last in the order."""
    had = count_byes(tournament)
    places = {player: place for place, player in enumerate(order)}
    return tuple(sorted(order, key=lambda player: (had[player], -places[player]))[:count])


def _goes_round(tournament: Tournament) -> bool:
    """Whether it is a league of two at each table, in which everybody is still there."""
    settings = tournament.settings
    everybody_there = not tournament.rounds or {
        *tournament.rounds[0].byes,
        *(player for table in tournament.rounds[0].tables for player in table.players),
    } == {*tournament.present}
    return settings.format == LEAGUE and settings.sizes == (2,) and everybody_there


def _by_points(lot: Sequence[str], standings: Sequence[Standing]) -> Group:
    """The players, those with most points first, and by lot where they have the same, or where there is no table."""
    points = {row.player: row.points for row in standings}
    return tuple(sorted(lot, key=lambda player: -points.get(player, 0)))


def _by_place(lot: Sequence[str], standings: Sequence[Standing]) -> Group:
    """Return the players by their place in the table, and by lot where they share one or there is no table."""
    places = {row.player: row.place for row in standings}
    return tuple(sorted(lot, key=lambda player: places.get(player, 0)))


def _group(
    tournament: Tournament, order: Group, sizes: Sequence[int], standings: Sequence[Standing]
) -> list[Group]:
    if tournament.settings.format == KNOCKOUT:
        starts = [sum(sizes[:table]) for table in range(len(sizes))]
        return [order[start : start + size] for start, size in zip(starts, sizes, strict=True)]
    points = {row.player: row.points for row in standings}
    classes = {each: place for place, each in enumerate(sorted({*points.values()}, reverse=True))}
    return group_players(
        order, sizes, count_meetings(tournament), {player: classes[own] for player, own in points.items()}
    )
