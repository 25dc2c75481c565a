"""What each event means for a tournament. Nothing here refuses anything."""

from collections.abc import Callable, Iterable
from typing import Any, Final

import msgspec

from events.tournaments import events as e
from events.tournaments import state as s
from events.tournaments.seeds import pairing_key
from events.tournaments.state import Outcome, Player, Round, Table, Tournament

Changes = dict[str, Any]


def fold(
    happened: Iterable[e.TournamentEventRecord], tournament: Tournament | None = None
) -> Tournament | None:
    """The tournament after all this; None before its first event."""
    for each in happened:
        tournament = evolve(tournament, each)
    return tournament


def evolve(tournament: Tournament | None, happened: e.TournamentEventRecord) -> Tournament:
    """The tournament after one more event; the first one announces it."""
    event = happened.event
    if isinstance(event, e.TournamentCreated):
        return Tournament(settings=event, organiser=happened.by, created=happened.at)
    if tournament is None:
        raise ValueError("the first event of a tournament announces it")
    changes = _CHANGES[type(event)](tournament, happened, event)
    return msgspec.structs.replace(tournament, **changes)


def _on_registered(
    tournament: Tournament, _happened: e.TournamentEventRecord, event: e.PlayerRegistered
) -> Changes:
    return {"players": (*tournament.players, Player(event.player, event.name, event.bot, event.seed))}


def _on_withdrew(
    tournament: Tournament, _happened: e.TournamentEventRecord, event: e.PlayerWithdrew
) -> Changes:
    players = tuple(
        msgspec.structs.replace(each, withdrew=True) if each.player == event.player else each
        for each in tournament.players
    )
    return {"players": players}


def _on_registration_closed(
    tournament: Tournament, _happened: e.TournamentEventRecord, event: e.RegistrationClosed
) -> Changes:
    return {"key": pairing_key(event.secret, tournament.settings.tournament, tournament.players)}


def _on_paired(tournament: Tournament, happened: e.TournamentEventRecord, event: e.RoundPaired) -> Changes:
    tables = tuple(Table(players) for players in event.tables)
    paired = Round(event.round, happened.at, event.seed, tables, event.byes, event.deal)
    return {"rounds": (*tournament.rounds, paired)}


def _on_started(tournament: Tournament, _happened: e.TournamentEventRecord, event: e.TableStarted) -> Changes:
    return _change_table(tournament, event.round, event.table, game=event.game)


def _on_given_up(
    tournament: Tournament, _happened: e.TournamentEventRecord, event: e.TableGivenUp
) -> Changes:
    outcome = Outcome(s.GIVEN_UP, reason=event.reason)
    return _change_table(tournament, event.round, event.table, outcome=outcome)


def _on_finished(
    tournament: Tournament, _happened: e.TournamentEventRecord, event: e.TableFinished
) -> Changes:
    outcome = Outcome(s.PLAYED, event.winners, event.scores, event.left)
    return _change_table(tournament, event.round, event.table, outcome=outcome)


def _on_forfeited(
    tournament: Tournament, _happened: e.TournamentEventRecord, event: e.TableForfeited
) -> Changes:
    return _change_table(tournament, event.round, event.table, outcome=Outcome(s.LATE, last=event.late))


def _on_ruled(tournament: Tournament, _happened: e.TournamentEventRecord, event: e.TableRuled) -> Changes:
    table = tournament.rounds[event.round - 1].tables[event.table - 1]
    outcome = Outcome(event.kind, event.winners, event.scores)
    return _change_table(tournament, event.round, event.table, outcome=outcome, rulings=table.rulings + 1)


def _on_closed(tournament: Tournament, _happened: e.TournamentEventRecord, event: e.RoundClosed) -> Changes:
    closed = msgspec.structs.replace(tournament.rounds[event.round - 1], is_closed=True, secret=event.secret)
    return {"rounds": (*tournament.rounds[: event.round - 1], closed, *tournament.rounds[event.round :])}


def _on_tournament_finished(
    _tournament: Tournament, _happened: e.TournamentEventRecord, event: e.TournamentFinished
) -> Changes:
    return {"standings": event.standings}


def _change_table(tournament: Tournament, number: int, table: int, **changes: Any) -> Changes:
    played = tournament.rounds[number - 1]
    changed = msgspec.structs.replace(played.tables[table - 1], **changes)
    tables = (*played.tables[: table - 1], changed, *played.tables[table:])
    with_it = msgspec.structs.replace(played, tables=tables)
    return {"rounds": (*tournament.rounds[: number - 1], with_it, *tournament.rounds[number:])}


_CHANGES: Final[
    dict[type[e.TournamentEvent], Callable[[Tournament, e.TournamentEventRecord, Any], Changes]]
] = {
    e.PlayerRegistered: _on_registered,
    e.PlayerWithdrew: _on_withdrew,
    e.RegistrationClosed: _on_registration_closed,
    e.RoundPaired: _on_paired,
    e.TableStarted: _on_started,
    e.TableGivenUp: _on_given_up,
    e.TableFinished: _on_finished,
    e.TableForfeited: _on_forfeited,
    e.TableRuled: _on_ruled,
    e.RoundClosed: _on_closed,
    e.TournamentFinished: _on_tournament_finished,
}
