"""Outages before, across and after the deadlines of games with clocks; no seat may lose time by them.

At the tables sit people who answer at once, people who wait for the last moment, people who say nothing, and bots.
"""

import random
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from threading import Event
from typing import Any, Final

from events.store.errors import StoreError
from events.store.waiting import waiting_at_most
from service.platform.clock import now_milliseconds
from service.storage.life_marks import LifeMarks
from tests.campaigns.faults import BREAKAGES, PARTS, Breakage
from tests.campaigns.installation import Installation, Setting
from tests.campaigns.invariants import examine
from tests.campaigns.load import SUCCESS, Ledger, Requests, Stoppable
from tests.campaigns.report import Plan, Report, Rows, Tell
from tests.campaigns.timekeeping import Judged, Late, Look, Outage, Watched, judge, read_time
from tests.support.decks import CATALOGUE
from tests.support.http_play import BESIDE_THE_GAME, CHATTER, filled

FAULTS: Final = tuple(each.name for each in BREAKAGES)
MOMENTS: Final = ("before", "across", "after")  # the deadline at which an outage is aimed
PROMPT, LAST, SILENT, BOT = "prompt", "last", "silent", "bot"
TABLES: Final = (
    (PROMPT, LAST, SILENT),
    (SILENT, PROMPT, BOT),
    (LAST, LAST, BOT),
    (SILENT, SILENT, PROMPT),
    (PROMPT, PROMPT, LAST),
    (LAST, SILENT, BOT, PROMPT),
)
CLOCKS: Final = (
    {"bank": 8, "increment": 2, "cap": 12, "answer": 4, "grace": 1, "strikes": 3},
    {"bank": 0, "increment": 0, "cap": 3, "answer": 3, "grace": 0, "strikes": 4},
    {"bank": 20, "increment": 3, "cap": 25, "answer": 6, "grace": 2, "strikes": 2},
)
CALM_SECONDS: Final = (2.0, 14.0)
BRIEF_SECONDS: Final = (1.0, 2.0)
COUNTING_SECONDS: Final = (4.0, 8.0)
SHORT_SECONDS: Final = (0.3, 2.5)
COUNTING_SHARE: Final = 2 / 3
LAST_MOMENT: Final = 700  # milliseconds around the deadline in which people act who wait for the last moment
AIM_SECONDS: Final = 6.0  # how long to look for a deadline at which an outage can be aimed
WHOLE_SECONDS: Final = 60.0
END_SECONDS: Final = 60.0
LEAVE_SECONDS: Final = 90.0
TABLE_PAUSE_SECONDS: Final = 0.15
LOOK_SECONDS: Final = 0.05


@dataclass
class Timed:
    """A game with a clock: the manners and tokens of its seats, and what was seen of it."""

    game: str
    manners: Sequence[str]
    tokens: Sequence[str | None]
    watched: Watched = field(default_factory=Watched)
    has_ended: bool = False
    by_itself: bool = False


class ClockedTable(Stoppable):
    """A thread that plays all seats of one game after another.

    Attributes:
        games: all games that were begun here.
        last: begin no further game.
        leaves: let everyone resign.
    """

    def __init__(self, number: int, port: int, ledger: Ledger, *, key: str, seed: int) -> None:
        super().__init__(f"table-{number}", ledger)
        self.games: list[Timed] = []
        self.last, self.leaves = Event(), Event()
        self._number, self._key, self._dice = number, key, random.Random(f"{seed} {number}")
        self._requests = Requests(self.name, (port,), ledger, self.stopping)

    def work(self) -> None:
        while not (self.stopping.is_set() or self.last.is_set()):
            self._play(self._new_game())

    def _new_game(self) -> Timed:
        turn = len(self.games) + self._number
        manners, clock = TABLES[turn % len(TABLES)], CLOCKS[turn % len(CLOCKS)]
        bot = {"kind": "bot", "bot": "random"}
        people = [{"name": f"{manner} {seat}"} for seat, manner in enumerate(manners)]
        seats = [each | (bot if each["name"].startswith(BOT) else {}) for each in people]
        body = {"system": "classic", "catalogue": CATALOGUE, "seats": seats, "clock": clock}
        made = self._requests.create(body, self._key)
        tokens = {each["seat"]: each["token"] for each in made["seats"] if "token" in each}
        game = Timed(made["game"], manners, [tokens.get(seat) for seat in range(len(manners))])
        self.games.append(game)
        return game

    def _play(self, game: Timed) -> None:
        while not self.stopping.is_set() and not game.has_ended:
            for seat, token in enumerate(game.tokens):
                if token is None or (game.manners[seat] == SILENT and self._dice.random() < 0.7):
                    continue
                if not self._act(game, seat, token):
                    game.has_ended, game.by_itself = True, not self.leaves.is_set()
                    break
            else:
                self.stopping.wait(TABLE_PAUSE_SECONDS)
        game.watched.until = now_milliseconds()

    def _act(self, game: Timed, seat: int, token: str) -> bool:
        """Look at the game, and act if it is time for that; return False where the game has ended."""
        looked_at = now_milliseconds()
        looked = self._requests.ask("GET", f"/v1/games/{game.game}/commands", None, token)
        if looked.status not in SUCCESS:
            raise AssertionError(f"game {game.game} was answered {looked.status}: {looked.body!r}")
        table = looked.json
        game.watched.looks.append(Look(looked_at, table["version"]))
        if table["status"] == "finished":
            return False
        if (command := self._chosen(game, seat, table)) is not None:
            sent = now_milliseconds()
            answer = self._requests.command(game.game, seat, token, command)
            if answer.status not in SUCCESS and answer.json["code"] == "time_over":
                game.watched.late.append(Late(seat, sent, answer.json["version"]))
        over = [each for each in table["clock"]["waits"] if each["over_at"] <= now_milliseconds()]
        if over and self._dice.random() < 0.2:
            self._requests.try_once("POST", f"/v1/games/{game.game}/expiries", None, token)
        return True

    def _chosen(self, game: Timed, seat: int, table: Any) -> Any | None:
        kinds = {each["type"] for each in table["commands"]}
        if self.leaves.is_set():
            return {"type": "resign"} if "resign" in kinds else None
        waits = [each for each in table["clock"]["waits"] if each["seat"] == seat]
        if game.manners[seat] == SILENT or not self._is_time(game.manners[seat], waits):
            return None
        listed = [each for each in table["commands"] if each["type"] not in BESIDE_THE_GAME]
        answering = [each for each in listed if each["type"] in {"decline", "accept"}]
        acting = [each for each in listed if each["type"] not in CHATTER]
        talking = [each for each in listed if each["type"] in {"offer", "say"}]
        for among, likely in ((answering, 0.5), (talking, 0.15), (acting, 0.9)):
            if among and self._dice.random() < likely:
                return filled(self._dice.choice(among), self._dice)
        return None

    def _is_time(self, manner: str, waits: Sequence[Any]) -> bool:
        if not waits:
            return self._dice.random() < 0.05
        if manner == PROMPT:
            return self._dice.random() < 0.5
        left = min(each["deadline"] for each in waits) - now_milliseconds()
        return bool(left < self._dice.randint(-LAST_MOMENT // 2, LAST_MOMENT))


def run(plan: Plan, folder: Path, tell: Tell) -> Report:
    """Let outages happen in turn, and judge the logs of all games."""
    begun, dice, ledger, judged = time.monotonic(), random.Random(plan.seed), Ledger(), Judged()
    outages, breakages = list[Outage](), [each for each in BREAKAGES if each.name in (plan.faults or FAULTS)]
    with Installation(folder, Setting("fsync")) as installation:
        _await_whole(installation)
        port, key = installation.service.port, installation.service.key(("create_games",))
        numbers = range(plan.clients or 10)
        tables = [ClockedTable(number, port, ledger, key=key, seed=plan.seed) for number in numbers]
        try:
            for table in tables:
                table.start()
            for number in range(plan.rounds or 36):
                time.sleep(dice.uniform(*(CALM_SECONDS if plan.patient else BRIEF_SECONDS)))
                breakage, moment = breakages[number % len(breakages)], dice.choice(MOMENTS)
                span = COUNTING_SECONDS if dice.random() < COUNTING_SHARE else SHORT_SECONDS
                seconds = plan.seconds or dice.uniform(*span)
                tell(f"outage {number + 1}: {breakage.name}, {seconds:.1f} s, {moment} a deadline")
                _await_moment(installation, tables, dice, moment=moment, seconds=seconds)
                outages.append(_break_for(installation, breakage, seconds))
            _end(tables, ledger, END_SECONDS if plan.patient else 0.0)
        finally:
            for table in tables:
                table.stop()
                table.await_end()
        tell("judging the logs")
        games = [game for table in tables for game in table.games]
        with installation.store() as store:
            for timed in games:
                judged.add(judge(timed.game, read_time(store.read(timed.game)), outages, timed.watched))
        installation.stop_bots()
        found = examine(installation, ledger)
    findings = [*ledger.findings, *installation.findings, *found.findings, *judged.findings]
    findings += [f"game {each.game} has not come to its end" for each in games if not each.has_ended]
    if found.clocked != len(games):
        findings.append(f"{found.clocked} records of {len(games)} verify with a clock")
    vain = [what for what in ("exposed", "expiries") if not judged.counts[what]]
    findings += [f"nothing was judged: no {what}" for what in vain if any(each.counts for each in outages)]
    lengths = Counter((each.name, "longer than 3.5 s" if each.counts else "shorter") for each in outages)
    figures = {
        **{f"{name}, {length}": count for (name, length), count in sorted(lengths.items())},
        "seed, seconds": f"{plan.seed}, {time.monotonic() - begun:.0f}",
        "games, ended by themselves": f"{len(games)}, {sum(each.by_itself for each in games)}",
        "events, records verified twice": f"{found.events}, {found.clocked}",
        "acknowledged, replayed": f"{ledger.counts['acknowledged']}, {ledger.counts['replayed']}",
        **judged.counts,
        "latest expiry, ms": judged.latest,
    }
    findings += installation.left_behind()
    return Report([Rows(("what", "how many"), [*figures.items()])], [], findings)


def _end(tables: Sequence[ClockedTable], ledger: Ledger, seconds: float) -> None:
    """Let all games end by themselves within this time, or because everyone leaves."""
    for table in tables:
        table.last.set()
    for patience, leaves in ((seconds, False), (LEAVE_SECONDS, True)):
        deadline = time.monotonic() + patience
        for table in tables:
            if leaves:
                table.leaves.set()
        for table in tables:
            table.join(max(0.0, deadline - time.monotonic()))
    if any(table.is_alive() for table in tables):
        ledger.find("some games do not end though everyone has left")


def _await_moment(
    installation: Installation,
    tables: Sequence[ClockedTable],
    dice: random.Random,
    *,
    moment: str,
    seconds: float,
) -> None:
    """Wait until an outage of so many seconds must begin; only for a while where there is no deadline."""
    across, name = dice.uniform(0.2, min(2.0, seconds)), "over_at" if moment == "after" else "deadline"
    lead = {"before": seconds + 0.3, "across": across, "after": -0.1}[moment]
    ends = time.monotonic() + AIM_SECONDS
    while time.monotonic() < ends:
        begun = [each for each in tables if each.games]
        for table in dice.sample(begun, len(begun)):
            answer = installation.service.api.call("GET", f"/v1/games/{table.games[-1].game}")
            assert answer.status == 200, answer.body
            deadlines = [each[name] for each in answer.json["clock"]["waits"]]
            left = [(each - lead * 1000 - now_milliseconds()) / 1000 for each in deadlines]
            if possible := [each for each in left if 0 <= each < AIM_SECONDS]:
                time.sleep(min(possible))
                return
        time.sleep(LOOK_SECONDS)


def _break_for(installation: Installation, breakage: Breakage, seconds: float) -> Outage:
    """Break parts for so long, mend them, and wait until everything works."""
    parts = [part for part in PARTS if part in breakage.parts]
    since = now_milliseconds()
    for part in reversed(parts):
        breakage.breaks(installation, part)
    down = now_milliseconds()
    try:
        time.sleep(seconds)
    finally:
        up = now_milliseconds()
        for part in parts:
            breakage.mends(installation, part)
    refused, whole = _await_whole(installation)
    up = max(up, refused) if "web" in parts else up
    return Outage(breakage.name, parts != ["projector"], since, down, up, whole)


def _await_whole(installation: Installation) -> tuple[int, int]:
    """Wait until commands are accepted and the time of all games is watched.

    Return when the last connection was refused, 0 for none, and when everything was seen to work.
    """
    deadline, refused = time.monotonic() + WHOLE_SECONDS, 0
    while True:
        now = now_milliseconds()
        try:
            is_ready = installation.service.api.call("GET", "/readyz").status == 200
        except ConnectionRefusedError:
            is_ready, refused = False, now
        except (OSError, HTTPException):
            is_ready = False
        if is_ready and _is_watched(installation):
            return refused, now_milliseconds()
        assert time.monotonic() < deadline, "the service does not come back"
        installation.mend()
        time.sleep(LOOK_SECONDS)


def _is_watched(installation: Installation) -> bool:
    with suppress(StoreError), waiting_at_most(1.0), installation.store() as store:
        marks, now = LifeMarks(store), now_milliseconds()
        return all(marks.look(each).is_known_at(now) for each in range(store.partitions))
    return False
