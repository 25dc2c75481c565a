"""The report of a run as Markdown: for docs/performance.md, and for whoever has just waited for it."""

from collections.abc import Iterator, Sequence
from statistics import median

from tests.benchmarks.endurance.growth import Growth
from tests.benchmarks.endurance.lag import Lag
from tests.benchmarks.endurance.results import Endurance, ProcessResult


def as_markdown(found: Endurance) -> str:
    """All of it."""
    parts = [_summary(found), _processes(found.processes), _lags(found), _findings(found), _machine(found)]
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def _summary(found: Endurance) -> Iterator[str]:
    commands, games, latency = found.commands, found.games, found.latency
    games_at_once = f"{found.at_once} games of people and {found.with_bots} with bots at once"
    of = f", half of {found.highest:,.0f}" if found.highest else ""
    yield from _table(
        ("what", "result"),
        [
            ("load", f"{found.seconds / 60:.1f} minutes, {found.load:,.0f} commands/s{of}; {games_at_once}"),
            ("commands acknowledged", f"{commands.acknowledged:,}; under load {commands.rate:,.1f}/s"),
            ("tried again; of these known already", f"{commands.tried_again:,}; {commands.known:,}"),
            ("lost; doubled", f"{commands.lost:,}; {commands.doubled:,}"),
            (
                "games begun; finished; found valid; record verifies",
                f"{games.begun:,}; {games.finished:,}; {games.valid:,}; {games.verified:,}",
            ),
            ("streams that brought a whole game; webhooks told", f"{games.watched:,}; {games.told:,}"),
            ("entries in the logs", f"{games.events:,}"),
            (
                "a command, restarts included, from when it was due: median; p99; longest",
                f"{latency.median:,.1f} ms; {latency.p99:,.0f} ms; {latency.most:,.0f} ms",
            ),
        ],
    )


def _processes(processes: Sequence[ProcessResult]) -> Iterator[str]:
    head = (
        "process",
        "restarts",
        "ready again after s, median (longest)",
        "memory MB, beginning; end",
        "second; last third",
        "MB/hour",
        "files, second; last third",
        "threads",
    )
    yield from _table(head, [_process(each) for each in processes])


def _process(each: ProcessResult) -> tuple[str, ...]:
    restarts = ", ".join(f"{count} {name}" for name, count in each.restarts.items())
    ready = f"{median(each.ready):.1f} ({max(each.ready):.1f})" if each.ready else ""
    memory = each.memory
    return (
        f"`{each.name}`",
        restarts,
        ready,
        f"{memory.beginning:.0f}; {memory.end:.0f}" if memory else "",
        _thirds(memory),
        f"{memory.per_hour:+.0f}" if memory else "",
        _thirds(each.files),
        _thirds(each.threads),
    )


def _thirds(found: Growth | None) -> str:
    return f"{found.second:.0f}; {found.last:.0f}" if found else ""


def _lags(found: Endurance) -> Iterator[str]:
    head = ("lag in seconds", "median", "p99", "longest", "under a second again after a restart of")
    yield from _table(head, [_lag(name, each) for name, each in found.lags.items()])
    yield ""
    yield "Median, p99 and longest are those outside of restarts."
    if found.validations is not None:
        yield (
            f"Finished games without a verdict: {found.validations.second:.0f} in the second third, "
            f"{found.validations.last:.0f} in the last one (medians), {found.validations.most:.0f} at most."
        )


def _lag(name: str, found: Lag) -> tuple[str, ...]:
    after = ", ".join(f"`{process}` {seconds:.1f}" for process, seconds in found.after.items())
    return name, f"{found.calm_median:.3f}", f"{found.calm_p99:.3f}", f"{found.calm_most:.2f}", after


def _findings(found: Endurance) -> Iterator[str]:
    if not found.judged:
        yield "The run was too short to judge growth."
        yield ""
    if not found.findings:
        yield "Nothing was found."
        return
    yield "**Found:**"
    yield ""
    for finding in found.findings:
        yield f"- {finding}"


def _machine(found: Endurance) -> Iterator[str]:
    for name, value in found.machine.items():
        yield f"- {name}: {value}"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield from (_line(row) for row in (head, ["---"] * len(head), *rows))


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
