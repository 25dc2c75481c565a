"""What moves a tournament on: pairs, sets tables up, takes their results, closes what is late, and counts rulings.

Every step is decided on the log as it stands, and names what it does by tournament, round and table: the game of a
table has an id of its own from the beginning, and a step that was done before changes nothing. So whoever is killed
between any two of them, or works beside another one, leaves nothing that would be done twice, or not at all.
"""

import logging
from collections.abc import Iterator
from itertools import chain
from typing import Final

from events.store.errors import GameNotFound, StoreDamaged, VersionConflict
from events.tournaments.commands import (
    SERVICE,
    CloseRegistration,
    Command,
    GiveUpTable,
    PairRound,
    StartTable,
    Step,
)
from events.tournaments.errors import TournamentRefused
from events.tournaments.limits import LONGEST_EXCUSE
from events.tournaments.pairing.pair import count_tables
from events.tournaments.progress import late_from, next_command
from events.tournaments.state import FINISHED, RUNNING, Round, Table, Tournament
from replay.platform.safe_text import safe
from service.access.store import Keys
from service.catalogues.catalogues import Catalogues, UnknownCatalogue
from service.platform.configuration import BOT_PATIENCE, UNFINISHED_GAMES, UNTOUCHED_AFTER
from service.play.command_handling import CommandHandling
from service.play.deciding import Refused
from service.play.lobby import Lobby, NotPlayed
from service.play.rounds import RoundGoesOn
from service.play.tables import Tables
from service.projections.unfinished_games import UnfinishedGames
from service.storage.store import Store
from service.tournaments.promises import Promises
from service.tournaments.tables import TableGames, left_behind
from service.tournaments.tournaments import RULED_FOR, TournamentLog, Tournaments

LOOK_SECONDS: Final = 30
"""How often a tournament that is played is looked at, whatever is heard of it."""
ROOM_SECONDS: Final = 3
"""How often one is looked at whose next round waits for room among the organiser's unfinished games."""
RULED_SECONDS: Final = 600
"""How often one that is over is looked at, while a dispute may still change its table or a late game goes on."""
MOST_STEPS: Final = 20
"""Steps of one tournament at once: others, and whoever wants to stop, wait for them."""
_log = logging.getLogger("fieldbook.tournaments")


class TournamentDriver:
    """Drives the tournaments of a store. Every method may raise what a store raises."""

    def __init__(self, store: Store, catalogues: Catalogues) -> None:
        """Drive these; their tables are played with these catalogues."""
        self.tournaments = Tournaments(store)
        self._tables = Tables(store)
        self._handling = CommandHandling(store, self._tables)
        lobby = Lobby(store, self._tables, self._handling, catalogues, int(BOT_PATIENCE.value()))
        self.games = TableGames(store, self._tables, lobby)
        self._promises = Promises(store.installation.token_key)
        self._keys = Keys(store)
        self._unfinished = UnfinishedGames(store, UNTOUCHED_AFTER.value())
        self._most_unfinished = UNFINISHED_GAMES.value()

    def move_on(self, name: str, now: int) -> bool:
        """Do what is to be done in a tournament, and have it looked at again; whether there is more to do at once.

        Raises:
            TournamentNotFound
        """
        log, steps = self.tournaments.of(name), 0
        plays_on = self._open_late_games(log.tournament, now)
        wanted = self._rulings(log.tournament)
        while True:
            is_done = True
            for command in chain(wanted, self._due(log.tournament, now)):
                try:
                    log, events = self.tournaments.send(name, Step(command, SERVICE, now))
                except TournamentRefused:
                    if self.tournaments.of(name).last.hash == log.last.hash:
                        raise
                    # Somebody else has done it, and more: such as to pair the round and start its tables.
                    return True
                is_done, steps = False, steps + 1
                if not events or steps >= MOST_STEPS:
                    # Where nothing came of it somebody else was faster.
                    return True
            if is_done:
                if steps:
                    # A round that was closed just now may have left games behind.
                    plays_on = self._open_late_games(log.tournament, now)
                self.tournaments.look_again(log, _look_at(log, now, plays_on=plays_on))
                return False
            wanted = iter(())

    def _open_late_games(self, tournament: Tournament, now: int) -> bool:
        """Open the secret in games that have ended after their duplicate round; whether any still goes on.

        One that goes on is shown to everybody: an auditor needs its record up to where it was late.
        """
        plays_on = False
        for game in left_behind(tournament):
            try:
                self._handling.open_round_secret(game, now)
            except RoundGoesOn:
                plays_on = True
                self.games.show(game)
            except (Refused, UnknownCatalogue, GameNotFound, StoreDamaged) as error:
                _log.error("tournament %s: game %s: %s", tournament.settings.tournament, game, error)
        return plays_on

    def open_registration_secret(self, name: str) -> CloseRegistration:
        """What closes the registration of a tournament."""
        return CloseRegistration(self._promises.pairing_secret(name))

    def _due(self, tournament: Tournament, now: int) -> Iterator[Command]:
        """What is to be done now, the first thing first."""
        if tournament.status != RUNNING:
            return
        played = tournament.open_round
        late = late_from(tournament)
        is_late = late is not None and late <= now
        if played is not None:
            if played.deal:
                for game in self.games.waiting_for_their_deal(played):
                    self._handling.open_round_secret(game, now)
            for place, table in enumerate(played.tables, start=1):
                if table.outcome is None:
                    yield from self._serve(tournament, played, place, table, now, is_late=is_late)
        secret = ""
        if played is not None and played.deal:
            secret = self._promises.deal_secret(tournament.settings.tournament, played.number)
        command = next_command(tournament, secret)
        if command is not None and not (isinstance(command, PairRound) and not self._has_room(tournament)):
            yield command

    def _has_room(self, tournament: Tournament) -> bool:
        """Return whether the organiser's key may have the games of the next round beside its unfinished ones.

        Tables that were late may go on and count too. A round larger than the bound waits until it is alone.
        """
        if not self._is_bounded(tournament):
            return True
        tables, most = count_tables(tournament), self._most_unfinished
        unfinished = self._unfinished.count(tournament.organiser)
        if unfinished == 0 or unfinished + tables <= most:
            return True
        _log.warning(
            "tournament %s: its next round waits until key %s has room for %d games: it has %d unfinished of %d",
            tournament.settings.tournament,
            tournament.organiser,
            tables,
            unfinished,
            most,
        )
        return False

    def _is_bounded(self, tournament: Tournament) -> bool:
        """Return whether the organiser's key may have a limited number of unfinished games only."""
        key = self._keys.get(tournament.organiser) if self._most_unfinished else None
        return key is not None and not key.is_operator

    def _rulings(self, tournament: Tournament) -> Iterator[Command]:
        """Rulings that do not count yet, as far as the tournament takes them."""
        if tournament.status not in {RUNNING, FINISHED}:
            return
        for ruling in self.games.what_was_ruled(tournament):
            try:
                self.tournaments.check(tournament, ruling)
            except TournamentRefused as refused:
                _log.warning(
                    "tournament %s: the ruling about table %d of round %d does not count: %s",
                    tournament.settings.tournament,
                    ruling.table,
                    ruling.round,
                    refused,
                )
                continue
            yield ruling

    def _serve(
        self, tournament: Tournament, played: Round, place: int, table: Table, now: int, *, is_late: bool
    ) -> Iterator[Command]:
        """What is to be done about a table that is not over."""
        try:
            if not table.game:
                yield self._set_up(tournament, played, place, now)
                return
            if is_late:
                self._handling.record_overdue(self._tables.newest(table.game), now)
            ended = self.games.how_it_ended(played.number, place, table)
            if ended is not None:
                yield ended
                return
        except (UnknownCatalogue, GameNotFound, StoreDamaged) as error:
            name = tournament.settings.tournament
            _log.error("tournament %s: table %d of round %d: %s", name, place, played.number, error)
        if is_late and (stands := self.games.how_it_stands(played.number, place, table)) is not None:
            yield stands

    def _set_up(
        self, tournament: Tournament, played: Round, place: int, now: int
    ) -> StartTable | GiveUpTable:
        """Set up the game of a table; where it is refused, which no later try would change, give the table up."""
        try:
            game = self.games.set_up(tournament, played, place, now)
        except (NotPlayed, Refused, UnknownCatalogue, VersionConflict) as error:
            name = tournament.settings.tournament
            _log.error("tournament %s: round %d gives up table %d: %s", name, played.number, place, error)
            return GiveUpTable(played.number, place, safe(str(error))[:LONGEST_EXCUSE] or "unknown")
        if self._is_bounded(tournament):
            self._unfinished.note(tournament.organiser, game)
        return StartTable(played.number, place, game)


def _look_at(log: TournamentLog, now: int, *, plays_on: bool) -> int | None:
    """When a tournament is looked at again without being heard of; None for never."""
    if log.tournament.status == FINISHED:
        is_disputable = now < log.last.happened.at + RULED_FOR
        return now + 1000 * RULED_SECONDS if is_disputable or plays_on else None
    if log.tournament.status != RUNNING:
        return None
    late = late_from(log.tournament)
    soon = now + 1000 * (ROOM_SECONDS if log.tournament.open_round is None else LOOK_SECONDS)
    return min(soon, late) if late is not None and late > now else soon
