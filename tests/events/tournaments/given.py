"""A tournament given, steps taken, results made up from a seed: what the tests of tournaments are written with."""

import hashlib
import random
from typing import Any, Final

import msgspec

from events.game.dealing import commitment_to
from events.tournaments import commands as c
from events.tournaments.decide import decide
from events.tournaments.events import TournamentCreated, TournamentEvent, TournamentEventRecord
from events.tournaments.evolve import evolve
from events.tournaments.progress import next_command
from events.tournaments.state import DUPLICATE, FINISHED, KNOCKOUT, Round, Tournament

START: Final = 1_800_000_000_000
MINUTE: Final = 60_000
SECRET: Final = "5e" * 32
ORGANISER: Final = "key_club"


def deal_secret(number: int) -> str:
    """The secret of a round's deal."""
    return hashlib.sha256(f"deal {number}".encode()).hexdigest()


def settings(form: str, sizes: tuple[int, ...] = (4,), rounds: int = 3, **others: Any) -> TournamentCreated:
    """What a tournament of this format is played by."""
    rounds = 0 if form == KNOCKOUT else rounds
    deals = (
        tuple(commitment_to(deal_secret(number + 1)) for number in range(rounds)) if form == DUPLICATE else ()
    )
    wanted: dict[str, Any] = {
        "tournament": "t",
        "name": "Autumn",
        "system": "bean-duel" if sizes == (2,) else "extended",
        "format": form,
        "sizes": sizes,
        "rounds": rounds,
        "commitment": commitment_to(SECRET),
        "deals": deals,
    }
    return TournamentCreated(**{**wanted, **others})


class Host:
    """Runs one tournament step by step, and keeps what happened."""

    def __init__(self, wanted: TournamentCreated, players: int = 0, chance: int = 1) -> None:
        """Announce it, and let so many players register; results are made up from `chance`."""
        self.at = START
        self.happened: list[TournamentEventRecord] = []
        self.chance = random.Random(chance)
        self._tournament: Tournament | None = None
        self.do(c.CreateTournament(wanted), ORGANISER)
        for number in range(players):
            self.register(f"p{number:03}", seed=f"{chance}/{number}")

    @property
    def tournament(self) -> Tournament:
        """The tournament as it stands."""
        assert self._tournament is not None
        return self._tournament

    @property
    def round(self) -> Round:
        """The last round."""
        return self.tournament.rounds[-1]

    def do(self, command: c.Command, by: str = c.SERVICE) -> tuple[TournamentEvent, ...]:
        """Take a step, a second later; returns its events."""
        self.at += 1000
        events = decide(self._tournament, c.Step(command, by, self.at))
        for event in events:
            record = TournamentEventRecord(self.at, by, event)
            self._tournament = evolve(self._tournament, record)
            self.happened.append(record)
        return events

    def register(self, player: str, seed: str = "") -> None:
        """Let a player register."""
        self.do(c.RegisterPlayer(player, f"Player {player}", seed=seed), ORGANISER)

    def begin(self) -> None:
        """Close registration and pair the first round."""
        self.do(c.CloseRegistration(SECRET), ORGANISER)
        self.move_on()

    def move_on(self) -> bool:
        """Do what is to be done without a table; whether something was."""
        moved = False
        while True:
            played = self.tournament.open_round
            secret = deal_secret(played.number) if played and played.deal else ""
            command = next_command(self.tournament, secret)
            if command is None:
                return moved
            self.do(command)
            moved = True

    def start(self, table: int) -> None:
        """Note which game a table of the open round is."""
        self.do(c.StartTable(self.round.number, table, f"g{self.round.number}-{table}"))

    def finish(self, table: int, *scores: int) -> None:
        """Let a table of the open round end with these scores, or with some that are made up."""
        seats = len(self.round.tables[table - 1].players)
        result = scores or tuple(self.chance.randrange(20) for _ in range(seats))
        winners = tuple(seat for seat, score in enumerate(result) if score == max(result))
        self.start(table)
        self.do(c.FinishTable(self.round.number, table, result, winners, "exhausted", 9, "a" * 64))

    def play_round(self) -> None:
        """Play every table of the open round that is not over, and go on to the next one."""
        for number, table in enumerate(self.round.tables, start=1):
            if table.outcome is None:
                self.finish(number)
        self.move_on()

    def play(self) -> Tournament:
        """Play to the end."""
        if not self.tournament.key:
            self.begin()
        while self.tournament.status != FINISHED:
            self.play_round()
        return self.tournament


def with_players(tournament: Tournament, players: tuple[Any, ...]) -> Tournament:
    """The same tournament with its players in another order."""
    return msgspec.structs.replace(tournament, players=players)
