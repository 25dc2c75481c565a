"""From everything that was seen in a run to what is said about it."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from statistics import median
from typing import Final

import msgspec

from tests.benchmarks.endurance.aftermath import Aftermath
from tests.benchmarks.endurance.growth import Growth, Series, growth
from tests.benchmarks.endurance.installation import STORE
from tests.benchmarks.endurance.lag import lag, part
from tests.benchmarks.endurance.ledger import Ledger
from tests.benchmarks.endurance.restarting import Restarted
from tests.benchmarks.endurance.results import Commands, Endurance, Latency, ProcessResult, Waiting
from tests.benchmarks.endurance.schedule import JUDGED_SECONDS
from tests.benchmarks.endurance.watching import Watching

LEAST_MEGABYTES: Final = 8.0
LEAST_FILES: Final = 10.0
LEAST_THREADS: Final = 10.0
"""Less than this is no growth."""
BYTES_OF_AN_EVENT: Final = 1000
"""The store keeps every game, so for each entry of the logs it may take so much more; see `memory/live`."""
LEAST_WAITING: Final = 10.0
"""So many more games that wait for their verdict are no growth."""


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """What was seen."""

    machine: Mapping[str, str]
    begin: float
    end: float
    highest: float | None
    load: float
    at_once: int
    with_bots: int
    ledger: Ledger
    watching: Watching
    restarted: Sequence[Restarted]
    aftermath: Aftermath

    @property
    def seconds(self) -> float:
        """How long the load lasted."""
        return self.end - self.begin


def judged(run: Run) -> Endurance:
    """What is said about a run; growth is only judged where it was long enough."""
    ledger, aftermath, is_long = run.ledger, run.aftermath, run.seconds >= JUDGED_SECONDS
    restarts = [(each.moment, each.name) for each in run.restarted]
    answers = [each for each in list(ledger.latencies) if each[0] >= run.begin]
    taken = sorted(seconds for _, seconds in answers)
    lags = {
        name: lag(name, list(series), restarts)
        for name, series in (
            ("a command's answer", answers),
            ("delivery by streams", [each for each in list(ledger.lags) if each[0] >= run.begin]),
            ("the list of games", run.watching.projector),
        )
    }
    processes = [_process(run, name) for name in run.watching.holds]
    waiting = _waiting(run)
    findings = [*ledger.findings, *aftermath.findings]
    findings += [text for each in lags.values() for text in each.findings]
    if is_long:
        findings += [text for each in processes for text in _grown(each)]
        if waiting is not None and waiting.last > waiting.second + LEAST_WAITING:
            findings.append("ever more finished games wait for their verdict")
    return Endurance(
        machine=run.machine,
        seconds=round(run.seconds, 1),
        highest=run.highest,
        load=run.load,
        at_once=run.at_once,
        with_bots=run.with_bots,
        judged=is_long,
        commands=Commands(
            acknowledged=ledger.acknowledged,
            rate=len(taken) / run.seconds,
            tried_again=ledger.tried_again,
            known=ledger.known,
            lost=aftermath.lost,
            doubled=aftermath.doubled,
        ),
        games=aftermath.games,
        latency=Latency(
            median=1000 * part(taken, 0.5), p99=1000 * part(taken, 0.99), most=1000 * part(taken, 1.0)
        ),
        processes=processes,
        lags=lags,
        validations=waiting,
        findings=findings,
    )


def _process(run: Run, name: str) -> ProcessResult:
    own = [each for each in run.restarted if each.name == name]
    holds = run.watching.holds[name]
    begins = [each.moment for each in own]
    kept = (
        run.aftermath.games.events * BYTES_OF_AN_EVENT / 2**20 * 3600 / run.seconds if name == STORE else 0.0
    )

    def over_time(series: Series, least: float, allowed: float = 0.0) -> Growth | None:
        return growth(series, run.begin, run.end, least=least, restarts=begins, allowed_per_hour=allowed)

    return ProcessResult(
        name=name,
        restarts=dict(Counter(each.signal.name for each in own)),
        ready=[each.ready for each in own if each.ready is not None],
        memory=over_time([(at, held.megabytes) for at, held in holds], LEAST_MEGABYTES, kept),
        files=over_time([(at, float(held.files)) for at, held in holds], LEAST_FILES),
        threads=over_time([(at, float(held.threads)) for at, held in holds], LEAST_THREADS),
    )


def _grown(process: ProcessResult) -> Iterator[str]:
    for what, found in (
        ("memory in MB", process.memory),
        ("open files", process.files),
        ("threads", process.threads),
    ):
        if found is None:
            yield f"{process.name}: its {what} could not be seen all the time"
        elif found.grew:
            life = "" if found.in_a_life is None else f", in a life by {found.in_a_life:.0f}"
            yield f"{process.name}: its {what} grew from {found.second:.0f} to {found.last:.0f}{life}"


def _waiting(run: Run) -> Waiting | None:
    third = run.seconds / 3
    seen = run.watching.validations
    second = [count for at, count in seen if run.begin + third <= at < run.end - third]
    last = [count for at, count in seen if run.end - third <= at < run.end]
    if not second or not last:
        return None
    return Waiting(second=median(second), last=median(last), most=max(count for _, count in seen))
