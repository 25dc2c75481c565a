"""Who plays the next round.

Everybody who has not withdrawn; in a knock-out those who are still in. The best of each table goes on, and whoever
had a bye: by points in that round, then by the table of the tournament as it is, then by the next round's lot. Where
that is more than one player, but too few for the smallest table, the best of those who are out make it up, by the
same order. Nobody goes on in place of somebody who has withdrawn.
"""

from events.tournaments.scoring.points import round_points
from events.tournaments.scoring.standings import compute_standings, figures_of
from events.tournaments.seeds import draw_lots, round_seed
from events.tournaments.state import KNOCKOUT, Round, Tournament


def who_plays(tournament: Tournament) -> tuple[str, ...]:
    """Who is paired next, of those who have not withdrawn; nobody where there is nothing more to play."""
    present = tournament.present
    played = len(tournament.rounds)
    settings = tournament.settings
    if settings.format != KNOCKOUT:
        return present if played < settings.rounds and len(present) >= min(settings.sizes) else ()
    if tournament.rounds:
        present = _still_in(tournament, tournament.rounds[-1])
    return present if len(present) >= min(settings.sizes) else ()


def _still_in(tournament: Tournament, last: Round) -> tuple[str, ...]:
    every = _rank(tournament, last)
    best = {*last.byes, *(min(table.players, key=every.index) for table in last.tables)}
    here = set(tournament.present)
    ranked = [each for each in every if each in here]
    staying = [each for each in ranked if each in best]
    missing = min(tournament.settings.sizes) - len(staying) if len(staying) > 1 else 0
    others = [each for each in ranked if each not in best]
    return tuple(sorted((*staying, *others[: max(0, missing)])))


def _rank(tournament: Tournament, last: Round) -> list[str]:
    """All players, the best of the last round first."""
    points = round_points(last, KNOCKOUT)
    figures = {row.player: figures_of(row) for row in compute_standings(tournament)}
    every = tuple(each.player for each in tournament.players)
    lot = draw_lots(round_seed(tournament, last.number + 1), every)
    return sorted(
        lot,
        key=lambda player: (figures[player].reached, points.get(player, -1), figures[player]),
        reverse=True,
    )
