"""What a command brings about in a tournament, or why it may not be.

Who may ask for it is not known here: the service says, and the log names who asked. What was done before and is asked
again in the same words changes nothing, and is not refused.
"""

from collections.abc import Callable
from typing import Any, Final

import msgspec

from events.tournaments import commands as c
from events.tournaments import events as e
from events.tournaments import limits
from events.tournaments.checks import check_excuse, check_player, check_result, check_ruling, check_settings
from events.tournaments.errors import (
    AlreadyRegistered,
    BadResult,
    BadSettings,
    GameTaken,
    NoSuchPlayer,
    NoSuchTable,
    NothingToPair,
    NotOver,
    NotRunning,
    RegistrationOver,
    RoundOpen,
    RoundsLeft,
    TableOver,
    TooEarly,
    TooFewPlayers,
    TooManyPlayers,
    TooManyRulings,
    WrongSecret,
)
from events.tournaments.evolve import fold
from events.tournaments.pairing.pair import pair_round
from events.tournaments.pairing.presence import who_plays
from events.tournaments.progress import late_from
from events.tournaments.scoring.standings import compute_standings
from events.tournaments.seeds import is_committed
from events.tournaments.state import (
    DUPLICATE,
    FINISHED,
    GIVEN_UP,
    LATE,
    PLAYED,
    REGISTERING,
    RUNNING,
    Outcome,
    Player,
    Table,
    Tournament,
)

Events = tuple[e.TournamentEvent, ...]


def decide(tournament: Tournament | None, step: c.Step) -> Events:
    """The events of a step; none where it changes nothing. Only the first one has no tournament yet.

    Raises:
        TournamentRefused: it may not be, and nothing has happened.
    """
    command = step.command
    if isinstance(command, c.CreateTournament):
        if tournament is not None:
            raise BadSettings("There is a tournament with this id.")
        check_settings(command.settings)
        return (command.settings,)
    if tournament is None:
        raise NotRunning("There is no such tournament.")
    decision: Callable[..., Events] = _DECISIONS[type(command)]
    return decision(tournament, step, command)


def _register(tournament: Tournament, _step: c.Step, wanted: c.RegisterPlayer) -> Events:
    check_player(wanted, [each for each in tournament.players if each.player != wanted.player])
    known = tournament.find_player(wanted.player)
    if known == Player(wanted.player, wanted.name, wanted.bot, wanted.seed):
        return ()
    if known is not None:
        raise AlreadyRegistered(f"The player {wanted.player!r} has registered otherwise, or has withdrawn.")
    if tournament.status != REGISTERING:
        raise RegistrationOver("The tournament has begun: nobody can register any more.")
    if len(tournament.players) >= limits.MOST_PLAYERS:
        raise TooManyPlayers(f"A tournament has at most {limits.MOST_PLAYERS} players.")
    return (e.PlayerRegistered(wanted.player, wanted.name, wanted.bot, wanted.seed),)


def _withdraw(tournament: Tournament, _step: c.Step, wanted: c.WithdrawPlayer) -> Events:
    player = tournament.find_player(wanted.player)
    if player is None:
        raise NoSuchPlayer(f"Nobody has registered as {wanted.player!r}.")
    if player.withdrew:
        return ()
    if tournament.status == FINISHED:
        raise NotRunning("The tournament is over.")
    return (e.PlayerWithdrew(wanted.player),)


def _close_registration(tournament: Tournament, _step: c.Step, wanted: c.CloseRegistration) -> Events:
    if tournament.status != REGISTERING:
        return ()
    needed = min(tournament.settings.sizes)
    if len(tournament.present) < needed:
        raise TooFewPlayers(f"{len(tournament.present)} players do not fill a table of {needed}.")
    _check_secret(wanted.secret, tournament.settings.commitment)
    return (e.RegistrationClosed(wanted.secret),)


def _pair(tournament: Tournament, _step: c.Step, _wanted: c.PairRound) -> Events:
    _check_between(tournament)
    paired = pair_round(tournament)
    if paired is None:
        raise NothingToPair("Every round was played, or there are too few players for another one.")
    return (paired,)


def _start(tournament: Tournament, _step: c.Step, wanted: c.StartTable) -> Events:
    table = _open_table(tournament, wanted.round, wanted.table)
    if table.game == wanted.game:
        return ()
    games = {each.game for played in tournament.rounds for each in played.tables}
    if table.game or not wanted.game or wanted.game in games:
        raise GameTaken("This table has a game, or this game a table.")
    return (e.TableStarted(wanted.round, wanted.table, wanted.game),)


def _give_up(tournament: Tournament, _step: c.Step, wanted: c.GiveUpTable) -> Events:
    table = _find_table(tournament, wanted.round, wanted.table)
    if table.outcome is not None and table.outcome.kind == GIVEN_UP:
        return ()
    _check_open(tournament, wanted.round, table)
    check_excuse(wanted.reason)
    return (e.TableGivenUp(wanted.round, wanted.table, wanted.reason),)


def _finish(tournament: Tournament, _step: c.Step, wanted: c.FinishTable) -> Events:
    table = _find_table(tournament, wanted.round, wanted.table)
    if table.outcome == Outcome(PLAYED, wanted.winners, wanted.scores, wanted.left):
        return ()
    _check_open(tournament, wanted.round, table)
    if not table.game:
        raise BadResult("This table's game was not set up.")
    check_result(table, wanted.scores, wanted.winners, wanted.left)
    return (e.TableFinished(**msgspec.structs.asdict(wanted)),)


def _forfeit(tournament: Tournament, step: c.Step, wanted: c.ForfeitTable) -> Events:
    table = _find_table(tournament, wanted.round, wanted.table)
    if table.outcome == Outcome(LATE, last=wanted.late):
        return ()
    _check_open(tournament, wanted.round, table)
    late = late_from(tournament)
    if late is not None and step.at < late:
        raise TooEarly(f"This table is late at {late} (milliseconds since the epoch).")
    check_result(table, (), (), wanted.late)
    return (e.TableForfeited(**msgspec.structs.asdict(wanted)),)


def _rule(tournament: Tournament, step: c.Step, wanted: c.RuleTable) -> Events:
    table = _find_table(tournament, wanted.round, wanted.table)
    check_ruling(wanted, table, tournament.settings.format)
    if table.rulings >= limits.MOST_RULINGS:
        raise TooManyRulings(f"About one table there are at most {limits.MOST_RULINGS} rulings.")
    ruled = e.TableRuled(**msgspec.structs.asdict(wanted))
    if tournament.status != FINISHED:
        return (ruled,)
    after = fold([e.TournamentEventRecord(step.at, step.by, ruled)], tournament)
    standings = compute_standings(tournament if after is None else after)
    return (ruled, e.TournamentFinished(standings))


def _close(tournament: Tournament, _step: c.Step, wanted: c.CloseRound) -> Events:
    played = tournament.open_round
    if played is None or played.number != wanted.round or not played.is_over:
        raise NotOver(f"Round {wanted.round} is not played now, or not all of its tables are over.")
    if tournament.settings.format == DUPLICATE:
        _check_secret(wanted.secret, tournament.settings.deals[wanted.round - 1])
    elif wanted.secret:
        raise WrongSecret("Only a duplicate round has a secret of its own.")
    return (e.RoundClosed(wanted.round, wanted.secret),)


def _finish_tournament(tournament: Tournament, _step: c.Step, _wanted: c.FinishTournament) -> Events:
    _check_between(tournament)
    if who_plays(tournament):
        raise RoundsLeft("There is another round to be played.")
    return (e.TournamentFinished(compute_standings(tournament)),)


def _check_between(tournament: Tournament) -> None:
    if tournament.status != RUNNING:
        raise NotRunning("The tournament has not begun, or is over.")
    if tournament.open_round is not None:
        raise RoundOpen(f"Round {tournament.open_round.number} is being played.")


def _check_secret(secret: str, commitment: str) -> None:
    if not limits.SHA256.fullmatch(secret) or not is_committed(secret, commitment):
        raise WrongSecret("This is not the secret that the tournament has committed to.")


def _find_table(tournament: Tournament, number: int, table: int) -> Table:
    found = tournament.find_table(number, table)
    if found is None:
        raise NoSuchTable(f"There is no table {table} in a round {number}.")
    return found


def _open_table(tournament: Tournament, number: int, table: int) -> Table:
    found = _find_table(tournament, number, table)
    _check_open(tournament, number, found)
    return found


def _check_open(tournament: Tournament, number: int, table: Table) -> None:
    played = tournament.open_round
    if table.outcome is not None or played is None or played.number != number:
        raise TableOver("This table is over.")


_DECISIONS: Final[dict[type[Any], Callable[[Tournament, c.Step, Any], Events]]] = {
    c.RegisterPlayer: _register,
    c.WithdrawPlayer: _withdraw,
    c.CloseRegistration: _close_registration,
    c.PairRound: _pair,
    c.StartTable: _start,
    c.GiveUpTable: _give_up,
    c.FinishTable: _finish,
    c.ForfeitTable: _forfeit,
    c.RuleTable: _rule,
    c.CloseRound: _close,
    c.FinishTournament: _finish_tournament,
}
