"""A hostile minute: everybody who may ask for something asks for the worst of it, while others play.

    python -m tests.faults.hostile_minute --seconds 60
    python -m tests.faults.hostile_minute --seconds 20 --caller seat    what one of them costs alone

Four callers do their worst, each within its quota: one without a key, one seat, one key with few scopes, and one
auditor. Meanwhile clients play as before. What must hold: all processes together take little more memory and give it
back, a player's p99 stays below three times what it was, no process ends, every game of the players verifies with
both verifiers, and so does the worst log that a seat could make.
"""

import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPException
from multiprocessing import get_context
from pathlib import Path
from threading import Event, Thread
from typing import Any, Final

import click

from replay.verification.verify import verify_lines
from service.play import budgets
from tests.benchmarks.endurance.footprint import footprints
from tests.support.http_play import Answer, OverHttp, Party, events_of
from tests.support.processes import EVERYTHING, Service, children
from tests.support.second_verifier import SecondVerifier

MOST_MEGABYTES: Final = 200.0
"""By so much all processes together may grow."""
GIVEN_BACK: Final = 100.0
"""So much of it may still be there afterwards: what is remembered of the games that were played."""
TIMES_SLOWER: Final = 3.0
CLIENTS: Final = 16
THINK_SECONDS: Final = 0.2
"""Between two commands of a client."""
REST_SECONDS: Final = 10.0
"""How long it is waited before memory is looked at again."""
SEATS: Final = ("Ada", "Bob", "Cleo")
LANGUAGES: Final = ("en", "de", "fr")
RECORD: Final = {"Content-Type": "application/x-ndjson"}
EMOJI: Final = {"type": "say", "text": "🫘" * 500}
FEW_SCOPES: Final = ("create_games",)
MOST_VERIFIED: Final = 50
"""Games at most that are verified besides the players' own: the newest."""
GIVES_WAY: Final = 15
"""By so much the attackers' priority is lower: they stand for machines of their own."""
WORKERS: Final = {"anonymous": 6, "seat": 4, "few_scopes": 3, "audit": 2}
"""Who attacks, with how many threads."""


@dataclass
class Player(Thread):
    """A client that plays one game after the other, and what each command took (seconds)."""

    api: OverHttp
    key: str
    number: int
    stopping: Event
    took: list[float] = field(default_factory=list)
    parties: list[Party] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Be a thread."""
        super().__init__(daemon=True)

    def __hash__(self) -> int:
        """Of the thread."""
        return id(self)

    def run(self) -> None:
        """Play until told to stop."""
        dice = random.Random(self.number)
        while not self.stopping.is_set():
            party = _party(self.api, self.key, dice)
            self.parties.append(party)
            try:
                self._play(party)
            except AssertionError as refused:
                self.refused.append(str(refused)[:200])

    def _play(self, party: Party) -> None:
        while not self.stopping.is_set():
            chosen = party.turn()
            if chosen is None:
                return
            began = time.perf_counter()
            party.send(*chosen)
            self.took.append(time.perf_counter() - began)
            self.stopping.wait(THINK_SECONDS)


def _party(api: OverHttp, key: str, dice: random.Random) -> Party:
    body = {"system": "classic", "seats": [{"name": name} for name in SEATS]}
    made = api.call("POST", "/v1/games", body, token=key)
    assert made.status == 201, made.body
    return Party(api, made.json["game"], [each["token"] for each in made.json["seats"]], dice)


@dataclass
class Attack:
    """What is attacked, and with which tokens; its methods are the worst that somebody may do."""

    port: int
    few: str
    auditor: str
    game: str
    """A running game of the seat's own."""
    tokens: tuple[str, ...]
    finished: str
    record: bytes
    """That of the finished game."""

    @classmethod
    def on(cls, service: Service, key: str) -> "Attack":
        """Prepare it: a game is played to its end, and another one begins."""
        own = _party(service.api, key, random.Random(1))
        finished = _party(service.api, key, random.Random(2))
        finished.play()
        record = service.api.call("GET", f"/v1/games/{finished.game}/record").body
        few, auditor = service.key(FEW_SCOPES), service.key(("audit",))
        return cls(service.port, few, auditor, own.game, tuple(own.tokens), finished.game, record)

    @contextmanager
    def under_way(self, callers: Sequence[str]) -> Iterator[Counter[str]]:
        """Have these at work, each in a process of its own; afterwards it is there what they were answered."""
        context = get_context("spawn")
        stopping, told = context.Event(), context.Queue()
        processes = [context.Process(target=_work, args=(self, name, stopping, told)) for name in callers]
        answers: Counter[str] = Counter()
        for each in processes:
            each.start()
        try:
            yield answers
        finally:
            stopping.set()
            for _ in processes:
                answers.update(told.get(timeout=150))
            for each in processes:
                each.join(30)

    def anonymous(self, api: OverHttp, dice: random.Random) -> Answer:
        """Everything that is open to all, and what pages draw of it."""
        return self._draw(api, dice) if dice.randrange(3) == 0 else self._take_out(api, dice)

    def _take_out(self, api: OverHttp, dice: random.Random) -> Answer:
        """Branches, verifications, records, long polls and lists."""
        game = f"/v1/games/{self.finished}"
        match dice.randrange(6):
            case 0:
                bots = {"seats": ["greedy"], "commands": 400}
                return api.call("POST", f"{game}/branches", {"version": 20, "bots": bots})
            case 1:
                uploaded = "/v1/verifications?audit=true"
                return api.call("POST", uploaded, raw=self.record * 8, headers=RECORD)
            case 2:
                return api.call("GET", f"{game}/record")
            case 3:
                return api.call("GET", f"/v1/games/{self.game}/events?after=0&wait=20&limit=1000")
            case 4:
                return api.call("GET", f"{game}/events?after=0&limit=1000&text=en")
            case _:
                return api.call("GET", "/v1/games?limit=200")

    def _draw(self, api: OverHttp, dice: random.Random) -> Answer:
        """What pages ask for to draw a game, in every language, as it never stood in an answer before."""
        game, language = f"/v1/games/{self.finished}", dice.choice(LANGUAGES)
        match dice.randrange(5):
            case 0:
                return api.call("GET", f"{game}/history?text={language}")
            case 1:
                at = dice.randrange(1, 200)
                return api.call("GET", f"{game}/scene?text={language}&at={at}&as=seat:0&knowledge=true")
            case 2:
                body = {"version": 20, "text": language, "bots": {"seats": ["greedy"], "commands": 400}}
                return api.call("POST", f"{game}/branches", body)
            case 3:
                uploaded = f"/v1/verifications?text={language}"
                return api.call("POST", uploaded, raw=self.record, headers=RECORD)
            case _:
                return api.call("GET", f"{game}/annotations?text={language}")

    def seat(self, api: OverHttp, dice: random.Random) -> Answer:
        """What a seat may do in its own game, in which it knows of nothing that others do."""
        act = dice.choice((self._dispute, self._play, self._play, self._look))
        return act(api, f"/v1/games/{self.game}", dice.choice(self.tokens), dice)

    def _look(self, api: OverHttp, game: str, token: str, dice: random.Random) -> Answer:
        """The game as it stands and as it went, drawn in every language."""
        drawn, language = dice.choice(("scene", "history")), dice.choice(LANGUAGES)
        return api.call("GET", f"{game}/{drawn}?text={language}", token=token)

    def _play(self, api: OverHttp, game: str, token: str, dice: random.Random) -> Answer:
        """Talk of the largest size, questions to take back, lists of what could be, and spectators' tokens."""
        match dice.randrange(6):
            case 0 | 1:
                return api.call("POST", f"{game}/commands", [EMOJI] * 10, token=token)
            case 2:
                return api.call("GET", f"{game}/take-backs", token=token)
            case 3:
                body = {"to_version": dice.randrange(1, 4000), "seen_confirmed": True}
                return api.call("POST", f"{game}/take-backs", body, token=token)
            case 4:
                api.call("POST", f"{game}/take-backs/refusal", token=token)
                return api.call("POST", f"{game}/spectators", {"name": "Zoe"}, token=token)
            case _:
                offer = {"type": "offer", "want": {"blue": 1}}
                return api.call("POST", f"{game}/commands", [offer] * 20, token=token)

    def _dispute(self, api: OverHttp, game: str, token: str, dice: random.Random) -> Answer:
        """Commands that have seen nothing of the log, cases of the largest size, and the list of them."""
        match dice.randrange(3):
            case 0:
                seen = {"If-Match": '"1-00000000"'}
                return api.call("POST", f"{game}/commands", EMOJI, token=token, headers=seen)
            case 1:
                case = {"version": 1, "reason": "other", "text": "x" * 4_000, "pause": False}
                return api.call("POST", f"{game}/disputes", case, token=token)
            case _:
                return api.call("GET", f"{game}/disputes", token=token)

    def few_scopes(self, api: OverHttp, dice: random.Random) -> Answer:
        """Games of bots, drafts of the largest size, tables at every version."""
        match dice.randrange(4):
            case 0:
                seats = [{"name": f"Rob {seat}", "kind": "bot", "bot": "greedy"} for seat in range(5)]
                body = {"system": "extended", "seats": seats}
                return api.call("POST", "/v1/games", body, token=self.few)
            case 1:
                note = {"kind": "note", "version": 1, "comment": "x" * 8_000}
                return api.call("POST", f"/v1/games/{self.finished}/annotations", note, token=self.few)
            case 2:
                return api.call("GET", f"/v1/games/{self.finished}/annotations", token=self.few)
            case _:
                at = dice.randrange(1, 200)
                return api.call("GET", f"/v1/games/{self.finished}?at={at}", token=self.few)

    def audit(self, api: OverHttp, _dice: random.Random) -> Answer:
        """Everything there is, again and again."""
        return api.call("GET", "/v1/exports/games", token=self.auditor)


def _work(attack: Attack, name: str, stopping: Any, told: Any) -> None:
    """One of the four, in a process of its own, with so many threads; what it computes is not the service's work."""
    os.nice(GIVES_WAY)
    answers: Counter[str] = Counter()
    threads = [
        Thread(target=_ask, args=(attack, name, number, stopping, answers)) for number in range(WORKERS[name])
    ]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    told.put(dict(answers))


def _ask(attack: Attack, name: str, number: int, stopping: Any, answers: Counter[str]) -> None:
    api, dice = OverHttp(attack.port, seconds=90.0), random.Random(f"{name} {number}")
    act: Callable[[OverHttp, random.Random], Answer] = getattr(attack, name)
    while not stopping.is_set():
        try:
            answer = act(api, dice)
        except (OSError, HTTPException):
            answers[f"{name} cut off"] += 1
            continue
        answers[f"{name} {answer.status}"] += 1
        if answer.status in {429, 503}:
            # Whoever is told to come again comes again soon.
            stopping.wait(min(float(answer.headers.get("retry-after", "1")), 0.5))


def _megabytes(service: Service) -> float:
    processes = [(name, each) for name in EVERYTHING for each in _below(service.process_id(name))]
    return sum(each.megabytes for each in footprints(processes).values())


def _each(service: Service) -> str:
    """What each kind of process holds."""
    processes = [(name, each) for name in EVERYTHING for each in _below(service.process_id(name))]
    return ", ".join(f"{name} {held.megabytes:.0f}" for name, held in footprints(processes).items())


def _below(process: int) -> list[int]:
    return [process, *(each for child in children(process) for each in _below(child))]


def lengths(players: Sequence[Player]) -> list[int]:
    """How many commands each of them has sent by now."""
    return [len(each.took) for each in players]


def taken_between(players: Sequence[Player], begun: Sequence[int], ended: Sequence[int]) -> list[float]:
    """What each player's commands took after so many of that player's own, and up to so many."""
    own = zip(players, begun, ended, strict=True)
    return [each for player, first, last in own for each in player.took[first:last]]


def _p99(took: Sequence[float]) -> float:
    return sorted(took)[int(len(took) * 0.99)] if took else 0.0


@contextmanager
def playing(service: Service, key: str, clients: int) -> Iterator[list[Player]]:
    """Have so many clients play."""
    stopping = Event()
    players = [Player(OverHttp(service.port), key, number, stopping) for number in range(clients)]
    for each in players:
        each.start()
    try:
        yield players
    finally:
        stopping.set()
        for each in players:
            each.join()


def run(
    folder: Path,
    seconds: float,
    tell: Callable[[str], None] = lambda _: None,
    clients: int = CLIENTS,
    callers: Sequence[str] = tuple(WORKERS),
) -> list[str]:
    """The minute with these hostile callers; what was found that must not be."""
    with Service(folder, "fsync") as service:
        service.start(*EVERYTHING)
        service.await_ready()
        key = service.key()
        attack = Attack.on(service, key)
        with playing(service, key, clients) as players:
            time.sleep(seconds / 3)
            before = [each for player in players for each in player.took]
            calm = _megabytes(service)
            tell(f"before: p99 {_p99(before) * 1000:.0f} ms of {len(before)} commands, {calm:.0f} MB")
            tell(_each(service))
            most = calm
            with attack.under_way(callers) as answers:
                begun, ends = lengths(players), time.monotonic() + seconds
                while time.monotonic() < ends:
                    time.sleep(1.0)
                    most = max(most, _megabytes(service))
                # What is still under way of the attack may take long to end, and others play in peace meanwhile.
                during = taken_between(players, begun, lengths(players))
        time.sleep(REST_SECONDS)
        after = _megabytes(service)
        tell(_each(service))
        tell(f"meanwhile: p99 {_p99(during) * 1000:.0f} ms of {len(during)} commands, {most:.0f} MB at most")
        tell(f"afterwards: {after:.0f} MB; answered: {dict(sorted(answers.items()))}")
        findings = [f"{name} has ended by itself with {status}" for name, status in service.ended().items()]
        findings += [finding for player in players for finding in player.refused]
        if most - calm > MOST_MEGABYTES:
            findings.append(f"memory grew by {most - calm:.0f} MB, of {MOST_MEGABYTES:.0f}")
        if after - calm > GIVEN_BACK:
            findings.append(f"{after - calm:.0f} MB were not given back, of {GIVEN_BACK:.0f}")
        if _p99(during) > TIMES_SLOWER * max(_p99(before), 0.01):
            findings.append(
                f"the players' p99 is {_p99(during) * 1000:.0f} ms, before {_p99(before) * 1000:.0f}"
            )
        parties = [party for player in players for party in player.parties]
        findings += [
            f"game {each.game} has lost what was acknowledged" for each in parties if _has_lost(each)
        ]
        theirs = service.api.call("GET", f"/v1/games?limit={MOST_VERIFIED}", token=key).json["games"]
        games = {each["game"] for each in theirs} | {each.game for each in parties} | {attack.game}
        return findings + _verify(service, sorted(games), key, tell)


def _has_lost(party: Party) -> bool:
    """Whether the log does not have, with the same chain hash, each version that an answer named."""
    entries = events_of(party.api, party.game)
    hashes = {each["entry"]["version"]: each["hash"] for each in entries}
    return any(hashes.get(version) != known for version, known in party.acknowledged.items())


def _verify(service: Service, games: Sequence[str], key: str, tell: Callable[[str], None]) -> list[str]:
    """Every log as its creator downloads it, by both verifiers."""
    findings = []
    with SecondVerifier() as second:
        for game in games:
            version = service.api.call("GET", f"/v1/games/{game}", token=key).json["version"]
            record = service.api.call("GET", f"/v1/games/{game}/record", token=key).body
            if not verify_lines(record.splitlines(keepends=True)).ok or not second.report(record)["ok"]:
                findings.append(f"game {game} does not verify")
            if version > budgets.MOST_ENTRIES:
                findings.append(f"game {game} has {version} entries")
    tell(f"{len(games)} games verify with both verifiers" if not findings else "not every game verifies")
    return findings


@click.command()
@click.option("--seconds", default=60.0, show_default=True, help="How long the attack lasts.")
@click.option("--clients", default=CLIENTS, show_default=True, help="Clients that play.")
@click.option(
    "--caller", "callers", multiple=True, type=click.Choice(tuple(WORKERS)), help="Who attacks; all without."
)
def main(seconds: float, clients: int, callers: tuple[str, ...]) -> None:
    """Have everybody do their worst, and see that others play on."""
    with tempfile.TemporaryDirectory(prefix="fieldbook-hostile-") as folder:
        findings = run(Path(folder), seconds, click.echo, clients, callers or tuple(WORKERS))
    for each in findings:
        click.echo(f"found: {each}")
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
