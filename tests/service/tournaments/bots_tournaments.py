"""Tournaments between bots on a real store, driven by the test: for tests of what drives them."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any, Final

from events.game.dealing import commitment_to
from events.game.record import header_for, write_record
from events.log.disclosure import ALL, form_for
from events.store.redis.redis_store import RedisEventStore
from events.tournaments import commands as c
from events.tournaments.events import TournamentCreated
from events.tournaments.state import FINISHED, Tournament
from replay.tournaments.checking import TournamentCheck
from replay.tournaments.report import TournamentReport
from replay.verification.attestations import Trust
from service.bot_seats.bot_players import BotPlayers
from service.catalogues.catalogues import Catalogues
from service.platform.clock import now_milliseconds
from service.play.tables import Tables
from service.tournaments.driving import TournamentDriver
from service.tournaments.promises import Promises
from service.tournaments.tournaments import TournamentLog
from tests.support.servers import eventually

NAME: Final = "autumn"
CLUB: Final = "key_club"


class Hall:
    """Where one tournament is played."""

    def __init__(self, store: RedisEventStore) -> None:
        """In this store."""
        self.store = store
        self.promises = Promises(store.installation.token_key)
        self.driver = self.another_driver()

    def another_driver(self) -> TournamentDriver:
        """A driver as a process that has just started has it."""
        return TournamentDriver(self.store, Catalogues())

    @property
    def log(self) -> TournamentLog:
        """The log as somebody reads it who has just come."""
        return self.another_driver().tournaments.of(NAME)

    @property
    def tournament(self) -> Tournament:
        """The tournament as it stands."""
        return self.log.tournament

    def send(self, command: c.Command, by: str = CLUB) -> None:
        """Ask for something."""
        self.driver.tournaments.send(NAME, c.Step(command, by, now_milliseconds()))

    def announce(self, bots: Sequence[str] = ("random",) * 4, **others: Any) -> None:
        """Announce a tournament of the duel and let these bots register."""
        wanted: dict[str, Any] = {"format": "swiss", "sizes": (2,), "rounds": 2, "system": "bean-duel"}
        commitment = commitment_to(self.promises.pairing_secret(NAME))
        created = TournamentCreated(
            tournament=NAME, name="Autumn", commitment=commitment, **{**wanted, **others}
        )
        step = c.Step(c.CreateTournament(created), CLUB, now_milliseconds())
        self.driver.tournaments.begin(NAME, step)
        for number, bot in enumerate(bots):
            self.send(c.RegisterPlayer(f"p{number}", f"Player {number}", bot))

    def begin(self) -> None:
        """Close registration."""
        self.send(self.driver.open_registration_secret(NAME))

    def move_on(self, driver: TournamentDriver | None = None) -> None:
        """Do what is to be done by now."""
        while (driver or self.driver).move_on(NAME, now_milliseconds()):
            pass

    def play(self) -> None:
        """Play to the end: bots play, and the driver looks again and again."""

        def is_over() -> bool:
            self.move_on()
            return self.driver.tournaments.of(NAME).tournament.status == FINISHED

        with bots_playing(self.store):
            eventually(is_over, seconds=60)

    def check(self) -> TournamentReport:
        """What an auditor finds."""
        check = TournamentCheck(Trust())
        check.read_log(entry.line for entry in self.log.entries)
        for played in self.tournament.rounds:
            for table in filter(lambda each: each.game, played.tables):
                check.read_record(record_of(self.store, table.game), table.game)
        return check.finish()


def record_of(store: RedisEventStore, game: str) -> list[bytes]:
    """The whole record of a game."""
    table = Tables(store).newest(game).table
    forms = (form_for(entry, table.key, ALL) for entry in store.read(game))
    return list(write_record(header_for(table, ALL), forms))


@contextmanager
def bots_playing(store: RedisEventStore) -> Iterator[None]:
    """Bots play their seats as long as this lasts."""
    stopping = Event()
    players = Thread(target=BotPlayers(store).run, args=(stopping,))
    players.start()
    try:
        yield
    finally:
        stopping.set()
        players.join()
