"""The games that a tournament's tables are: setting them up, how they stand, and what rulings made of them."""

from typing import Any, Final

from events.disputes.facts import seat_name
from events.rules.table.state import GameState
from events.rules.table.waiting import waiting_behind
from events.store.errors import GameNotFound, StoreDamaged
from events.tournaments.absent import absent_from
from events.tournaments.commands import FinishTable, ForfeitTable, RuleTable
from events.tournaments.events import TournamentCreated
from events.tournaments.state import (
    ANNULLED,
    AWARDED,
    DUPLICATE,
    PLAYED,
    REPLACED,
    Outcome,
    Player,
    Round,
    Table,
    Tournament,
)
from service.access.game_access import UNLISTED_GAME, UNTIL_THE_END, GameAccess, GamePolicy
from service.access.guests import CLOSED_AFTER
from service.access.tokens import seat_token
from service.catalogues.catalogues import UnknownCatalogue
from service.disputes.disputes import Disputes, RuledResult
from service.play.lobby import Lobby, NewGame
from service.play.lobby import Player as Seated
from service.play.tables import Tables
from service.storage.store import Store
from service.tournaments.deals import deal_of
from service.tournaments.promises import Promises, game_id

SET_UP: Final = "tournament"
"""The request by which a game is set up, the same for whoever does: so it is set up once."""
UNTOUCHED: Final = 14 * 24 * 60 * 60
"""Seconds without an event after which a game is closed whose table is never late."""
_ENDED: Final = "ended"
"""The status of a game that is over, and whose secret is closed."""
_FINISHED: Final = "finished"


class TableGames:
    """The games of the tournaments of a store. Every method may raise what a store raises."""

    def __init__(self, store: Store, tables: Tables, lobby: Lobby) -> None:
        """Set them up in this lobby."""
        self._tables = tables
        self._lobby = lobby
        self._disputes = Disputes(store)
        self._access = GameAccess(store)
        self._token_key = store.installation.token_key
        self._promises = Promises(self._token_key)

    def set_up(self, tournament: Tournament, played: Round, number: int, at: int) -> str:
        """Set up the game of a table, if it is not there yet, and return its id.

        Raises:
            NotPlayed, Refused, UnknownCatalogue: nobody can play it like that.
        """
        settings = tournament.settings
        players = {each.player: each for each in tournament.players}
        seats = [_seated(players[each]) for each in played.tables[number - 1].players]
        game = game_id(settings.tournament, played.number, number)
        wanted = NewGame(
            settings.system,
            seats,
            settings.options,
            policy=_house_rules(tournament),
            clock=settings.clock,
            close_after=_close_after(settings),
            deal=deal_of(tournament, played, self._promises),
        )
        self._lobby.create(game, wanted, at, SET_UP, SET_UP)
        return game

    def seat_token(self, game: str, seat: int) -> str:
        """The token that a seat of such a game was given when it was set up."""
        return seat_token(self._token_key, game, seat, SET_UP)

    def how_it_ended(self, number: int, place: int, table: Table) -> FinishTable | None:
        """How the game of a table ended; None while it has not."""
        found = self._tables.newest(table.game).table
        result = found.state.result
        if found.state.status != _FINISHED or result is None:
            return None
        return FinishTable(
            number,
            place,
            result.scores,
            result.winners,
            result.reason,
            found.version,
            found.hash,
            absent_from(found.state),
        )

    def waiting_for_their_deal(self, played: Round) -> list[str]:
        """Return the games of a duplicate round that have ended and whose deal can be opened.

        There are none while a game is played. One that cannot be read may be played on once it is repaired; it counts
        until its table is given up.
        """
        over = [table.game for table in played.tables if table.game and table.outcome is None]
        try:
            statuses = {game: self._tables.newest(game).table.state.status for game in over}
        except (GameNotFound, StoreDamaged, UnknownCatalogue):
            return []
        is_played = any(not table.game and table.outcome is None for table in played.tables)
        if is_played or not {*statuses.values()} <= {_ENDED, _FINISHED}:
            return []
        return [game for game, status in statuses.items() if status == _ENDED]

    def show(self, game: str) -> None:
        """Let everybody watch a game that goes on after its duplicate round, whose log says how it stood then."""
        self._access.show(game)

    def how_it_stands(self, number: int, place: int, table: Table) -> ForfeitTable | None:
        """A table that is late, with the seats its game waits for; none where it was never set up.

        A take-back that is open changes nothing about them. While a case holds the game up only those of them count
        who have asked for that: a pause does not help those who would be late without it.
        None where the game has ended: all that it waits for is that the secret of its round can be opened.
        """
        if not table.game:
            return ForfeitTable(number, place, ())
        found = self._tables.newest(table.game).table
        if found.state.status in {_ENDED, _FINISHED}:
            return None
        return ForfeitTable(number, place, self._late_seats(found.state), found.version, found.hash)

    def _late_seats(self, state: GameState) -> tuple[int, ...]:
        awaited = waiting_behind(state)
        if not state.paused_by:
            return awaited
        pausing = {case.opener.who for case in self._disputes.of(state.game).cases if case.holds_play}
        return tuple(seat for seat in awaited if seat_name(seat) in pausing)

    def results_to_count(self, tournament: Tournament) -> list[tuple[int, int, str, RuledResult]]:
        """Return the results that final rulings gave to tables that are over, as far as they do not count yet.

        Each comes with the number of its round, its table and its game.
        """
        over = [
            (played.number, place, table)
            for played in tournament.rounds
            for place, table in enumerate(played.tables, start=1)
            if table.game and table.outcome is not None
        ]
        results = self._disputes.ruled([table.game for _, _, table in over])
        return [
            (number, place, table.game, result)
            for (number, place, table), result in zip(over, results, strict=True)
            if result is not None and table.outcome is not None and not _counts(result, table.outcome)
        ]

    def ruling_of(self, number: int, place: int, game: str, result: RuledResult) -> RuleTable:
        """Return the command by which a ruling counts for a table, with the reason that the case states."""
        ended = [case for case in self._disputes.of(game).cases if case.ending and case.ruling]
        case = next(
            (each for each in reversed(ended) if each.ruling and each.ruling.kind == result.kind), None
        )
        reason = case.ruling.reason if case is not None and case.ruling is not None else result.kind
        return RuleTable(
            number,
            place,
            result.kind,
            reason[:500],
            tuple(sorted(result.winners)),
            result.scores,
            case=case.number if case is not None else 0,
        )


def left_behind(tournament: Tournament) -> list[str]:
    """The games without which a duplicate round was closed: they were late, and may go on, or have ended since."""
    if tournament.settings.format != DUPLICATE:
        return []
    tables = [table for played in tournament.rounds if played.is_closed for table in played.tables]
    return [
        table.game
        for table in tables
        if table.game and table.outcome is not None and table.outcome.kind != PLAYED
    ]


def _counts(result: RuledResult, outcome: Outcome) -> bool:
    """Whether a table counts as this ruling says already."""
    if result.kind not in {ANNULLED, AWARDED, REPLACED}:
        return True
    return (outcome.kind, outcome.winners, outcome.scores) == (
        result.kind,
        tuple(sorted(result.winners)),
        result.scores,
    )


def _house_rules(tournament: Tournament) -> GamePolicy:
    """Who may watch the tables: nobody before the end where others play the same cards, the organiser neither."""
    if tournament.settings.format == DUPLICATE:
        return GamePolicy(UNLISTED_GAME, UNTIL_THE_END, tournament.organiser)
    return GamePolicy(creator=tournament.organiser)


def _close_after(settings: TournamentCreated) -> int:
    """Return after how many seconds without an event a game is closed: never before its table is late."""
    return UNTOUCHED if settings.late_after is None else max(CLOSED_AFTER, settings.late_after)


def _seated(player: Player) -> Seated:
    """Who sits down; whose name lies beside the id is named in the game by the id."""
    kind = "bot" if player.bot else "human"
    return Seated(player.name, kind, player.bot, player="" if player.name else player.player)


def seat_of(tournament: Tournament, player: str, token_key: str) -> dict[str, Any] | None:
    """Where a player sits in the open round, with the token of the seat; None where they do not, or not yet.

    Who has a bye has a round, and nothing more.
    """
    played = tournament.open_round
    if played is None:
        return None
    if player in played.byes:
        return {"round": played.number}
    for place, table in enumerate(played.tables, start=1):
        if player in table.players and table.game:
            seat = table.players.index(player)
            token = seat_token(token_key, table.game, seat, SET_UP)
            return {"round": played.number, "table": place, "game": table.game, "seat": seat, "token": token}
    return None
