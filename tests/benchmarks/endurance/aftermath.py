"""What must hold when the load is over: every game's accounts, verdict, record, stream and webhook."""

import time
from collections.abc import Callable, Collection
from contextlib import closing
from typing import Final

import msgspec

from events.store.errors import GameNotFound, StoreDamaged
from events.store.redis.redis_store import RedisEventStore
from replay.client import Fieldbook, Problem
from replay.verification.verify import verify_lines
from service.verification.finished_games import LAST_EVENT
from service.verification.store import PENDING, VALID, Validations
from tests.benchmarks.endurance.accounts import Entry, account
from tests.benchmarks.endurance.doorbell import Doorbell
from tests.benchmarks.endurance.installation import Installation
from tests.benchmarks.endurance.ledger import GameLedger, Ledger
from tests.benchmarks.endurance.results import Games
from tests.benchmarks.own_service import HOST

VERDICT_SECONDS: Final = 180.0
"""A worker killed in the middle of a job has it taken up again after a minute; one that failed is tried as late."""
TOLD_SECONDS: Final = 60.0
"""How long streams and webhooks may take to tell the end of a game when nothing else goes on."""
LOOK_SECONDS: Final = 0.3


class Aftermath(msgspec.Struct, frozen=True):
    """What the log holds, and what is wrong with it."""

    games: Games
    lost: int
    doubled: int
    findings: tuple[str, ...]


class Examination:
    """Goes through all games of a run, when nobody plays any more."""

    def __init__(self, installation: Installation, ledger: Ledger, bell: Doorbell) -> None:
        """Prepare."""
        self._installation = installation
        self._ledger = ledger
        self._bell = bell
        self._findings: list[str] = []
        self._lost = self._doubled = self._events = 0

    def aftermath(self, say: Callable[[str], None]) -> Aftermath:
        """Examine everything; `say` hears how far it is."""
        games = self._ledger.games
        with closing(self._installation.open_store()) as store:
            finished = {name for name, game in games.items() if self._holds(store, name, game)}
            say(f"{len(finished)} of {len(games)} games are finished; waiting for their verdicts")
            valid = self._valid(store, finished)
        watched = self._awaited("has no stream that came to its end", self._to_watch, self._watched)
        told = self._awaited("was told to no webhook when it was finished", lambda: finished, self._told)
        verified = self._verified(finished, say)
        counts = Games(
            begun=sum(bool(game.acknowledged) for game in games.values()),
            finished=len(finished),
            valid=valid,
            verified=verified,
            watched=watched,
            told=told,
            events=self._events,
        )
        return Aftermath(counts, self._lost, self._doubled, tuple(self._findings))

    def _holds(self, store: RedisEventStore, name: str, game: GameLedger) -> bool:
        """Hold a game's log against its accounts; whether the game is finished."""
        try:
            log = store.read(name)
        except (GameNotFound, StoreDamaged) as error:
            self._findings.append(f"game {name} cannot be read: {error}")
            self._lost += len(game.acknowledged)
            return False
        entries = [Entry(each.version, each.hash, each.actor, bool(each.command)) for each in log]
        found = account(entries, game.acknowledged, game.unanswered, game.seats)
        self._lost += found.lost
        self._doubled += found.doubled
        self._events += len(log)
        if found.lost or found.doubled:
            self._findings.append(f"game {name}: {found.lost} commands lost, {found.doubled} doubled")
        finished = bool(log) and log[-1].type == LAST_EVENT
        if game.ended and not finished:
            self._findings.append(f"game {name} was played to its end, and is not finished")
        if game.ended and game.due is not None and len(log) != game.due:
            self._findings.append(f"game {name} has ended at version {len(log)}, and {game.due} was due")
        if game.watched is not None and game.watched != len(log):
            self._findings.append(f"game {name}: a stream ended at {game.watched}, the log at {len(log)}")
        return finished

    def _valid(self, store: RedisEventStore, finished: Collection[str]) -> int:
        """Wait for the verdicts; the number of games that are valid."""
        validations, pending, valid = Validations(store), set(finished), 0
        deadline = time.monotonic() + VERDICT_SECONDS
        while pending and time.monotonic() < deadline:
            self._installation.mend()
            for name in list(pending):
                verdict = validations.verdict(name)
                if verdict == VALID:
                    valid += 1
                elif verdict != PENDING:
                    self._findings.append(f"game {name} was found {verdict} by the service")
                if verdict != PENDING:
                    pending.discard(name)
            time.sleep(LOOK_SECONDS)
        self._findings += [f"game {name} has no verdict" for name in sorted(pending)]
        return valid

    def _to_watch(self) -> set[str]:
        """The games that were followed, and are finished."""
        return {name for name, game in self._ledger.games.items() if game.ended and game.due is not None}

    def _watched(self) -> set[str]:
        return {name for name, game in self._ledger.games.items() if game.watched is not None}

    def _told(self) -> Collection[str]:
        return self._bell.told

    def _awaited(
        self, otherwise: str, wanted: Callable[[], set[str]], there: Callable[[], Collection[str]]
    ) -> int:
        """Wait until all that is wanted is there; the number that is."""
        deadline = time.monotonic() + TOLD_SECONDS
        while (missing := wanted() - set(there())) and time.monotonic() < deadline:
            self._installation.mend()
            time.sleep(LOOK_SECONDS)
        self._findings += [f"game {name} {otherwise}" for name in sorted(missing)]
        return len(wanted()) - len(missing)

    def _verified(self, finished: Collection[str], say: Callable[[str], None]) -> int:
        """Verify every finished game's record, as anybody can; the number that verify."""
        api = Fieldbook(f"http://{HOST}:{self._installation.port}")
        verified = 0
        for place, name in enumerate(sorted(finished), start=1):
            try:
                report = verify_lines(api.record(name).splitlines(keepends=True))
            except Problem as problem:
                self._findings.append(f"game {name}: its record was answered {problem.status} {problem.code}")
                continue
            verified += report.ok
            if not report.ok:
                self._findings.append(f"game {name}: its record does not verify: {report.findings}")
            if place % 25 == 0:
                say(f"verified {place} of {len(finished)} records")
        return verified
