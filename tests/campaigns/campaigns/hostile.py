"""A hostile minute: callers of each kind send the most expensive requests within their quotas while others play.

All processes together may take little more memory and must return it, the players' p99 stays below three times what
it was, no process exits, and every log that was made verifies with both verifiers.
"""

import os
import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPException
from multiprocessing import get_context
from pathlib import Path
from threading import Thread
from typing import Any, Final, NamedTuple

from service.play import budgets
from tests.campaigns.installation import WITH_WEBHOOKS, Installation, Setting, TableKind
from tests.campaigns.invariants import examine
from tests.campaigns.load import Acknowledged, Ledger, Players, part_of
from tests.campaigns.report import Plan, Report, Rows, Tell
from tests.support.footprint import footprints
from tests.support.http_play import Answer, OverHttp
from tests.support.processes import Service

THREADS: Final = {"anonymous": 6, "seat": 4, "few_scopes": 3, "audit": 2}
FAULTS: Final = tuple(THREADS)
MAX_GROWTH: Final = 200.0  # megabytes by which all processes together may grow
MAX_KEPT: Final = 100.0
"""Megabytes of these that may remain: what is remembered of the games that were played."""
MAX_SLOWDOWN: Final = 3.0
THINK_SECONDS: Final = 0.2
REST_SECONDS: Final = 10.0  # how long to wait before memory is measured again
MAX_VERIFIED: Final = 50  # games of others that are verified besides the players' own
NICENESS: Final = 15  # the attackers' priority is lower: they stand for machines of their own
LANGUAGES: Final = ("en", "de", "fr")
ANY: Final = "chosen for each request"
RECORD: Final = {"Content-Type": "application/x-ndjson"}
EMOJI: Final = {"type": "say", "text": "🫘" * 500}
BOTS: Final = {"seats": ["greedy"], "commands": 400}
ROBOTS: Final = [{"name": f"Rob {seat}", "kind": "bot", "bot": "greedy"} for seat in range(5)]
WORST: Final[dict[str, tuple[tuple[str, Any], ...]]] = {
    "anonymous": (
        ("POST {finished}/branches", {"version": 20, "bots": BOTS}),
        ("POST {finished}/branches", {"version": 20, "text": ANY, "bots": BOTS}),
        ("POST /v1/verifications?audit=true", 8),
        ("POST /v1/verifications?text={language}", 1),
        ("GET {finished}/record", None),
        ("GET {game}/events?after=0&wait=20&limit=1000", None),
        ("GET {finished}/events?after=0&limit=1000&text=en", None),
        ("GET /v1/games?limit=200", None),
        ("GET {finished}/history?text={language}", None),
        ("GET {finished}/scene?text={language}&at={at}&as=seat:0&knowledge=true", None),
        ("GET {finished}/annotations?text={language}", None),
    ),
    "seat": (
        ("POST {game}/commands", [EMOJI] * 10),
        ("POST {game}/commands", [{"type": "offer", "want": {"blue": 1}}] * 20),
        ("POST {game}/commands", EMOJI),
        ("GET {game}/take-backs", None),
        ("POST {game}/take-backs", {"to_version": ANY, "seen_confirmed": True}),
        ("POST {game}/take-backs/refusal", None),
        ("POST {game}/spectators", {"name": "Zoe"}),
        ("POST {game}/disputes", {"version": 1, "reason": "other", "text": "x" * 4_000, "pause": False}),
        ("GET {game}/disputes", None),
        ("GET {game}/scene?text={language}", None),
        ("GET {game}/history?text={language}", None),
    ),
    "few_scopes": (
        ("POST /v1/games", {"system": "extended", "seats": ROBOTS}),
        ("POST {finished}/annotations", {"kind": "note", "version": 1, "comment": "x" * 8_000}),
        ("GET {finished}/annotations", None),
        ("GET {finished}?at={at}", None),
    ),
    "audit": (("GET /v1/exports/games", None),),
}
"""The most expensive requests of each caller with their bodies; a number: how many records are uploaded at once."""


class Attack(NamedTuple):
    """The targets: a running game of the attacking seats, and a finished one; and each caller's tokens."""

    port: int
    game: str
    finished: str
    record: bytes
    tokens: dict[str, tuple[str | None, ...]]

    @classmethod
    def on(cls, service: Service, ledger: Ledger) -> "Attack":
        """Play a game to its end, and begin another one."""
        finished, own = service.people(2), service.people(1)
        finished.play()
        seen = own.legal(0)
        ledger.acknowledge(Acknowledged(None, own.game, seen["version"], seen["hash"], seen["version"]))
        record = service.api.call("GET", f"/v1/games/{finished.game}/record").body
        keys = {"few_scopes": (service.key(("create_games",)),), "audit": (service.key(("audit",)),)}
        tokens = {"anonymous": (None,), "seat": tuple(own.tokens), **keys}
        return cls(service.port, own.game, finished.game, record, tokens)

    def send(self, caller: str, api: OverHttp, dice: random.Random) -> Answer:
        """Send one of the worst requests of a caller."""
        wanted, body = dice.choice(WORST[caller])
        language, at, token = dice.choice(LANGUAGES), dice.randrange(1, 200), dice.choice(self.tokens[caller])
        games = {"game": f"/v1/games/{self.game}", "finished": f"/v1/games/{self.finished}"}
        method, _, path = wanted.format(language=language, at=at, **games).partition(" ")
        if isinstance(body, int):
            return api.call(method, path, token=token, raw=self.record * body, headers=RECORD)
        if isinstance(body, dict):
            drawn = {"text": language, "to_version": dice.randrange(1, 4000)}
            body = body | {name: drawn[name] for name, value in body.items() if value == ANY}
        headers = (
            {"If-Match": '"1-00000000"'} if wanted.endswith("commands") and isinstance(body, dict) else None
        )
        return api.call(method, path, body, token=token, headers=headers)


@contextmanager
def _under_way(attack: Attack, callers: Sequence[str]) -> Iterator[Counter[str]]:
    """Let these attack, each in a process of its own; afterwards the counter has their answers."""
    context = get_context("spawn")
    stopping, results, answers = context.Event(), context.Queue(), Counter[str]()
    processes = [
        context.Process(target=_work, args=(attack, name, stopping, results), daemon=True) for name in callers
    ]
    for each in processes:
        each.start()
    try:
        yield answers
    finally:
        stopping.set()
        for _ in processes:
            answers.update(results.get(timeout=150))
        for each in processes:
            each.join(30)


def _work(attack: Attack, name: str, stopping: Any, results: Any) -> None:
    """Attack as one caller with some threads; what this process computes is not the service's work."""
    os.nice(NICENESS)
    answers: Counter[str] = Counter()
    threads = [
        Thread(target=_send, args=(attack, name, number, stopping, answers))
        for number in range(THREADS[name])
    ]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    results.put(dict(answers))


def _send(attack: Attack, name: str, number: int, stopping: Any, answers: Counter[str]) -> None:
    api, dice = OverHttp(attack.port, seconds=90.0), random.Random(f"{name} {number}")
    while not stopping.is_set():
        try:
            answer = attack.send(name, api, dice)
        except (OSError, HTTPException):
            answers[f"{name} cut off"] += 1
            continue
        answers[f"{name} {answer.status}"] += 1
        if answer.status in {429, 503}:
            stopping.wait(min(float(answer.headers.get("retry-after", "1")), 0.5))


def run(plan: Plan, folder: Path, tell: Tell) -> Report:
    """Attack while clients play, then compare memory, latency and logs."""
    seconds, setting = plan.seconds or 60.0, Setting("fsync", tables=(TableKind("classic", 3),))
    with Installation(folder, setting, WITH_WEBHOOKS) as installation:
        players = Players(installation, plan.clients or 16, pause=THINK_SECONDS)
        attack = Attack.on(installation.service, players.ledger)
        with players:
            time.sleep(seconds / 3)
            before = _p99(players.ledger, 0.0)
            calm = most = _megabytes(installation)
            tell(f"before: p99 {before * 1000:.0f} ms, {calm:.0f} MB")
            with _under_way(attack, plan.faults or FAULTS) as answers:
                begun = time.monotonic()
                while time.monotonic() < begun + seconds:
                    time.sleep(1.0)
                    most = max(most, _megabytes(installation))
                # Requests of the attack that are still running may take long, while others play undisturbed.
                during = _p99(players.ledger, begun)
            players.rest()
        time.sleep(REST_SECONDS)
        after, version = _megabytes(installation), installation.version_of(attack.game)
        ended = [f"{name} exited with {status}" for name, status in installation.service.ended().items()]
        installation.stop_bots()
        found = examine(installation, players.ledger, players.heard(), most_others=MAX_VERIFIED)
    findings = [*ended, *players.ledger.findings, *found.findings, *installation.left_behind()]
    for what, value, limit in (
        ("the growth of memory in MB", most - calm, MAX_GROWTH),
        ("the memory in MB that was not returned", after - calm, MAX_KEPT),
        ("the players' p99 in s", during, MAX_SLOWDOWN * max(before, 0.01)),
        (f"the number of entries of game {attack.game}", version, budgets.MOST_ENTRIES),
    ):
        if value > limit:
            findings.append(f"{what} is {value:.3f}, more than {limit:.3f}")
    figures = {
        "players' p99 ms: before, meanwhile": f"{before * 1000:.0f}, {during * 1000:.0f}",
        "memory MB: before, most, afterwards": f"{calm:.0f}, {most:.0f}, {after:.0f}",
        "commands acknowledged": players.ledger.counts["acknowledged"],
        "records verified": found.systems.total(),
        **dict(sorted(answers.items())),
    }
    return Report([Rows(("what", "result"), [*figures.items()])], [], findings)


def _megabytes(installation: Installation) -> float:
    return sum(each.megabytes for each in footprints(installation.process_tree()).values())


def _p99(ledger: Ledger, begun: float) -> float:
    """Return the 99th percentile of the seconds that commands took which were sent since then."""
    took = sorted(each for at, each in list(ledger.latencies) if begun <= at - each)
    return part_of(took, 0.99)
