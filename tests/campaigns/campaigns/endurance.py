"""Half of the highest load for long, while each process is restarted in turn by SIGTERM and SIGKILL.

Besides what must hold in every campaign, memory, open files and threads must not grow, and lags must stay short.

Restarts hide growth, and warming up looks like it. So two medians are compared: that of the last third of the run
with that of the second third, where each third has whole rounds of restarts; and that of the last third of a
process's life with that of its second third, in the median of all lives. A lag counts as over after a restart from
the last moment at which it was more than a second; everything outside of these times is calm.
"""

import signal
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import cycle, pairwise
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple, Self

from events.store.errors import StoreError
from events.store.redis.redis_store import RedisEventStore
from service.projections.generations import DUE, generation_name
from service.projections.progress import projection_progress, seconds_behind
from service.storage.checkpoints import Checkpoints
from tests.campaigns.faults import restart
from tests.campaigns.installation import READY_SECONDS, STORE, WITH_WEBHOOKS, Installation, Setting
from tests.campaigns.invariants import Aftermath, examine
from tests.campaigns.load import Ledger, Players, Stoppable, failures, part_of
from tests.campaigns.report import Plan, Report, Rows, Tell
from tests.support.footprint import footprints

FAULTS: Final = (STORE, *WITH_WEBHOOKS)
JUDGED_SECONDS: Final = 600.0
"""A run of this length has whole rounds of restarts in each third, so growth can be judged."""
ROUND_SECONDS: Final = 300.0  # about the length of a round, in which every process is restarted once
PROBE_SECONDS: Final = 45.0
"""The time in which the highest rate is measured, with the whole load; a third of it warms up before."""
BRIEF_SECONDS: Final = 3.0
BOTS_SECONDS: Final = 10.0  # between two games of bots
STOP_SECONDS: Final = 20.0
LOOK_SECONDS: Final = 0.1
LEAST: Final = {"memory MB": 8.0, "open files": 10.0, "threads": 10.0}  # a smaller difference is no growth
EVENT_BYTES: Final = 1000
"""The store keeps every game: for each entry of a log it may use so much more memory."""
LEAST_WAITING: Final = 10.0  # so many more games that wait for a verdict are no growth

SHARE: Final = 0.05  # the part of itself by which a value may be higher
LIFE_SECONDS: Final = 120.0  # a shorter life is all warming up
MIN_SAMPLES: Final = 3
LAG_SECONDS: Final = 1.0  # the longest lag in calm times, at p99
MAX_LAG_SECONDS: Final = 5.0  # the longest lag in calm times, once in a hundred
RECOVERY_SECONDS: Final = 30.0  # how long a lag may last after a restart

Series = Sequence[tuple[float, float]]  # moments in seconds, each with a value


class Restart(NamedTuple):
    """A restart: so many seconds after the load began, or when it happened, and how long until the process worked."""

    at: float
    name: str
    signal: signal.Signals
    ready: float | None = None


def schedule(names: Sequence[str], seconds: float) -> list[Restart]:
    """Plan restarts at equal intervals; the number of rounds is a multiple of 3 where growth is judged."""
    thirds = 3 if seconds >= JUDGED_SECONDS else 1
    rounds = thirds * max(1, round(seconds / ROUND_SECONDS / thirds))
    distance, signals = seconds / (rounds * len(names)), (signal.SIGTERM, signal.SIGKILL)
    return [
        Restart(distance * (number * len(names) + place + 0.5), name, signals[(number + place) % 2])
        for number in range(rounds)
        for place, name in enumerate(names)
    ]


class Watch(Stoppable):
    """Measures what processes hold and how far projections and verdicts are behind, with `time.monotonic` moments.

    Attributes:
        holds: by process and resource, what it and its descendants held.
        behind: the seconds by which the list of games was behind.
        waiting: the number of finished games without a verdict.
    """

    def __init__(self, installation: Installation, ledger: Ledger) -> None:
        super().__init__("watch", ledger)
        self.holds = {(name, what): list[tuple[float, float]]() for name in FAULTS for what in LEAST}
        self.behind, self.waiting = list[tuple[float, float]](), list[tuple[float, float]]()
        self._installation = installation

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self.await_end()

    def work(self) -> None:
        with self._installation.store() as store:
            for look in cycle(range(4)):
                if self.stopping.wait(0.5):
                    return
                with suppress(StoreError):  # while the store restarts, nothing can be behind it
                    self._look(store)
                with suppress(KeyError):  # a process has just been stopped
                    tree = [*self._installation.process_tree()] if look == 0 else []
                    for name, found in footprints(tree).items():
                        values = (found.megabytes, found.files, found.threads)
                        for what, value in zip(LEAST, values, strict=True):
                            self.holds[name, what].append((time.monotonic(), float(value)))

    def _look(self, store: RedisEventStore) -> None:
        progress, checkpoints, due = projection_progress(store), Checkpoints(store), 0
        for each in progress:
            key = checkpoints.read_model_key(each.partition, generation_name(each.generation), DUE)
            due += int(store.connection.command("ZCARD", key))
        behind = max(seconds_behind(store, each, int(1000 * time.time())) for each in progress)
        self.behind.append((time.monotonic(), behind))
        self.waiting.append((time.monotonic(), float(due)))


class Run:
    """A load on an installation, with restarts, from `begin` to `end`."""

    def __init__(self, installation: Installation, players: Players) -> None:
        self.players = players
        self.begin = self.end = self.load = 0.0
        self.highest: float | None = None
        self.restarts: list[Restart] = []
        self._installation = installation
        self._next_bots = 0.0

    def find_load(self, load: float | None, probe: float) -> None:
        """Play at this load, or at half of the highest rate."""
        clients, latencies = self.players.clients, self.players.ledger.latencies
        for each in clients:
            each.interval = len(clients) / load if load else 0.0
        self.wait(probe / 3)
        self.load = load or 0.0
        if load is None:
            before, begun = len(latencies), time.monotonic()
            self.wait(probe)
            self.highest = (len(latencies) - before) / (time.monotonic() - begun)
            self.find_load(self.highest / 2, probe)

    def wait(self, seconds: float) -> None:
        """Let clients and bots play for so long."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            self._installation.mend()
            if time.monotonic() > self._next_bots:
                self.players.begin_bots_game()
                self._next_bots = time.monotonic() + BOTS_SECONDS
            time.sleep(LOOK_SECONDS)

    def restart(self, each: Restart) -> None:
        """Restart a process at its moment, and wait until it works again."""
        self.wait(self.begin + each.at - time.monotonic())
        installation, ledger = self._installation, self.players.ledger
        moment, works = time.monotonic(), installation.sign_of_work(installation.service, each.name)
        if restart(installation, each.name, each.signal) > STOP_SECONDS:
            ledger.find(f"{each.name} did not stop within {STOP_SECONDS:.0f} s after {each.signal.name}")
        while not (has_worked := works()) and time.monotonic() < moment + READY_SECONDS:
            installation.mend()
            time.sleep(LOOK_SECONDS)
        if not has_worked:
            ledger.find(f"{each.name} did not work again after {each.signal.name}")
        ready = time.monotonic() - moment if has_worked else None
        self.restarts.append(each._replace(at=moment, ready=ready))


class Growth(NamedTuple):
    """Medians of a value in the second and the last third, its median rise within a life, and whether it grew."""

    second: float
    last: float
    in_a_life: float | None
    grew: bool


def growth(
    series: Series,
    begin: float,
    end: float,
    *,
    least: float,
    restarts: Sequence[float] = (),
    allowed_per_hour: float = 0.0,
) -> Growth | None:
    """Judge a value from `begin` to `end`, with restarts of its process.

    It may rise by `least` or by a share of itself, and by `allowed_per_hour` where the process stores what comes.
    Return None where a part of the run has too few samples.
    """
    third = (end - begin) / 3
    second, last = _middle(series, begin + third, begin + 2 * third), _middle(series, end - third, end)
    if second is None or last is None:
        return None
    rises = []
    for born, died in pairwise([begin, *restarts, end]):
        part = (died - born) / 3
        early, late = _middle(series, born + part, died - part), _middle(series, died - part, died)
        if died - born >= LIFE_SECONDS and early is not None and late is not None:
            rises.append(late - early - allowed_per_hour * part / 3600)
    life = median(rises) if rises else None
    more, bound = last - second - allowed_per_hour * third / 3600, max(least, SHARE * second)
    return Growth(second, last, life, more > bound or (life is not None and life > bound))


def _middle(series: Series, begin: float, end: float) -> float | None:
    found = [value for moment, value in series if begin <= moment < end]
    return median(found) if len(found) >= MIN_SAMPLES else None


def lag(name: str, series: Series, restarts: Sequence[tuple[float, str]]) -> tuple[list[str], list[str]]:
    """Judge moments with the lag of then, beside the moments of restarts, each with its process.

    Return a row of results and the findings.
    """
    after: dict[str, float] = {}
    disturbed, findings = list[tuple[float, float]](), list[str]()
    following = [moment for moment, _ in (*restarts, (float("inf"), ""))][1:]
    for (moment, process), next_one in zip(restarts, following, strict=True):
        until = min(next_one, moment + RECOVERY_SECONDS)
        within = [(at, value) for at, value in series if moment <= at < until]
        over = max((at for at, value in within if value > LAG_SECONDS), default=moment)
        after[process] = max(after.get(process, 0.0), over - moment)
        disturbed.append((moment, over))
        if over > moment and not any(at > over for at, _ in within):
            findings.append(f"{name} was not over {until - moment:.0f} s after a restart of {process}")
    calm = sorted(value for at, value in series if not any(a <= at <= b for a, b in disturbed))
    p99, most = part_of(calm, 0.99), part_of(calm, 1.0)
    if p99 > LAG_SECONDS:
        findings.append(f"{name} outside of restarts: p99 {p99:.1f} s, more than {LAG_SECONDS:.0f} s")
    if most > MAX_LAG_SECONDS:
        findings.append(
            f"{name} outside of restarts: at most {most:.1f} s, more than {MAX_LAG_SECONDS:.0f} s"
        )
    over_after = ", ".join(f"{process} {seconds:.1f}" for process, seconds in after.items())
    return [name, *(f"{value:.2f}" for value in (part_of(calm, 0.5), p99, most)), over_after], findings


def run(plan: Plan, folder: Path, tell: Tell) -> Report:
    """Load an installation, restart its processes, and judge everything."""
    seconds, clients = plan.seconds or 1800.0, plan.clients or 16
    with (
        Installation(folder, Setting("fsync"), WITH_WEBHOOKS) as installation,
        Players(installation, clients, followers=clients) as players,
    ):
        ran, ledger = Run(installation, players), players.ledger
        ran.find_load(plan.load, PROBE_SECONDS if plan.patient else BRIEF_SECONDS)
        tell(f"{ran.load:.0f} commands/s, the highest rate is {ran.highest or 'not measured'}")
        ran.begin = time.monotonic()
        with Watch(installation, ledger) as watch:
            for each in schedule(plan.faults or FAULTS, seconds):
                ran.restart(each)
                tell(f"{time.monotonic() - ran.begin:.0f} s: {each.name} restarted")
            ran.wait(ran.begin + seconds - time.monotonic())
        ran.end = time.monotonic()
        players.rest()
        installation.stop_bots()
        tell("examining the log")
        found = examine(installation, ledger, players.heard())
    report = _judged(ran, watch, found)
    report.findings += [*ledger.findings, *installation.findings, *found.findings]
    report.findings += installation.left_behind()
    return report


def _judged(run: Run, watch: Watch, found: Aftermath) -> Report:
    report, ledger, begin, end = Report(), run.players.ledger, run.begin, run.end
    counts, moments = ledger.counts, [(each.at, each.name) for each in run.restarts]
    answers = [each for each in ledger.latencies if begin <= each[0] < end]
    streamed = [each for each in ledger.lags if begin <= each[0] < end]
    taken = sorted(took for _, took in answers)
    times = ", ".join(f"{1000 * part_of(taken, share):.0f}" for share in (0.5, 0.99, 1.0))
    followed = sum(has_ended for _, _, has_ended in run.players.heard())
    figures = {
        "minutes, commands/s, highest": f"{(end - begin) / 60:.1f}, {run.load:.0f}, {run.highest or 0.0:.0f}",
        "commands acknowledged, of these per second": f"{counts['acknowledged']}, {len(answers) / (end - begin):.1f}",
        "retried, replayed": f"{sum(failures(counts).values())}, {counts['replayed']}",
        "games, finished, records verified": f"{found.games}, {len(found.finished)}, {found.systems.total()}",
        "games followed to their end, entries": f"{followed}, {found.events}",
        "ms of a command since it was due: median, p99, longest": times,
    }
    report.tables.append(Rows(("what", "result"), [*figures.items()]))
    rows = list[Sequence[object]]()
    kept = found.events * EVENT_BYTES / 2**20 * 3600 / (end - begin)
    for name in FAULTS:
        own, cells = [each for each in run.restarts if each.name == name], list[str]()
        for what, least in LEAST.items():
            allowed, begins = kept if (name, what) == (STORE, "memory MB") else 0.0, [each.at for each in own]
            grew = growth(
                watch.holds[name, what], begin, end, least=least, restarts=begins, allowed_per_hour=allowed
            )
            cells.append(f"{grew.second:.0f}; {grew.last:.0f}" if grew else "")
            if end - begin >= JUDGED_SECONDS:
                report.findings += _grown(f"{what} of {name}", grew)
        signals = Counter(each.signal.name for each in own)
        ready = [each.ready for each in own if each.ready is not None]
        longest = f"{median(ready):.1f} ({max(ready):.1f})" if ready else ""
        rows.append((name, ", ".join(f"{count} {each}" for each, count in signals.items()), longest, *cells))
    thirds = (f"{what}: second; last third" for what in LEAST)
    report.tables.append(Rows(("process", "restarts", "ready s, median (longest)", *thirds), rows))
    rows, series = [], (answers, streamed, watch.behind)
    for name, values in zip(("a command's answer", "streams", "the list of games"), series, strict=True):
        row, findings = lag(name, values, moments)
        report.findings += findings
        rows.append(row)
    headings = ("lag in s outside of restarts", "median", "p99", "longest", "over s after a restart of")
    report.tables.append(Rows(headings, rows))
    if end - begin < JUDGED_SECONDS:
        report.notes.append("The run was too short to judge growth.")
    else:
        backlog = growth(watch.waiting, begin, end, least=LEAST_WAITING)
        report.findings += _grown("the number of finished games without a verdict", backlog)
    return report


def _grown(what: str, found: Growth | None) -> Iterator[str]:
    if found is None:
        yield f"{what} could not be measured all the time"
    elif found.grew:
        life = "" if found.in_a_life is None else f", in a life by {found.in_a_life:.0f}"
        yield f"{what} grew from {found.second:.0f} to {found.last:.0f}{life}"
