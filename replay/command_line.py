"""The command line: `show`, `log`, `step` and `verify` a record.

Exit status: 0 fine, 1 a finding (the record does not verify, or is broken), 2 wrong use.
"""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from typing import Any, NoReturn

import click
import msgspec

from events.disclosure import ALL, PUBLIC, viewer_name
from events.record import RecordBroken, read_record
from events.rules.player_view import player_view
from replay.describe import describe
from replay.hidden import viewer_of
from replay.report import CHECKS, Finding, Report
from replay.safe_text import safe, safe_json
from replay.screen import put
from replay.shape import SCOPE
from replay.sources import SourceUnreadable, record_lines
from replay.stepping import step_through
from replay.table_text import table_lines, when
from replay.timeline import Step, Timeline, read_timeline
from replay.verify import verify_lines
from replay.words import Words

FINDING = 1
"""Exit status when a record does not verify."""


class ScopeName(click.ParamType[int]):
    """A perspective: `all`, `public` or `seat:N`, as the number of the viewer."""

    name = "all|public|seat:N"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The viewer's number."""
        if isinstance(value, int):
            return value
        if not SCOPE.fullmatch(value):
            self.fail(
                f"{value!r} is no perspective; there are all, public, seat:0, seat:1 and so on.", param, ctx
            )
        return viewer_of(value)


_record = click.argument("record", metavar="RECORD")
_as = click.option(
    "--as",
    "viewer",
    type=ScopeName(),
    metavar="all|public|seat:N",
    help="Whose view to show; without it all that the record holds.",
)
_json = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")


@click.group()
def replay() -> None:
    """Read the record of a game and trust nobody.

    RECORD is a record file, plain or gzipped, or - for standard input. Every command verifies what
    it shows. Exit status: 0 fine, 1 a record that does not verify, 2 wrong use.
    """
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


@replay.command()
@_record
@click.option("--at", "version", type=click.IntRange(min=1), help="Version to show; without it the last one.")
@_as
@_json
def show(record: str, version: int | None, viewer: int | None, *, as_json: bool) -> None:
    """Show the table at one version."""
    timeline = _timeline(record, viewer)
    step = _step_at(timeline, timeline.last if version is None else version)
    if as_json:
        table = {"table": player_view(step.state, timeline.viewer)}
        _put_json(_step_json(timeline, step) | {"catalogue": timeline.header.catalogue} | table)
    else:
        put(table_lines(timeline, step))
        played_with = timeline.header.catalogue
        line = _catalogue_line(played_with.name, played_with.hash(), played_with.kinds_of_provenance)
        click.echo(f"\n{'catalogue':15}{line}")
    _end(timeline)


@replay.command()
@_record
@click.option("--from", "first", type=click.IntRange(min=1), default=1, help="First version to list.")
@click.option("--to", "last", type=click.IntRange(min=1), help="Last version to list.")
@_as
@_json
def log(record: str, first: int, last: int | None, viewer: int | None, *, as_json: bool) -> None:
    """List what has happened, a line for each entry."""
    timeline = _timeline(record, viewer)
    words = Words(timeline.header.catalogue)
    for step in timeline.steps[first - 1 : last]:
        if as_json:
            _put_json(_step_json(timeline, step))
        else:
            who = step.form.entry["actor"] if step.command is not None else ""
            moment = when(step.form.entry["at"])[:19] if step.command is not None else ""
            click.echo(f"{step.version:>4}  {moment:19}  {who:7} {describe(words, step.state, step.event)}")
    _end(timeline)


@replay.command()
@_record
@click.option("--at", "version", type=click.IntRange(min=1), default=1, help="Version to begin with.")
@_as
def step(record: str, version: int, viewer: int | None) -> None:
    """Step through the game, forward and back, by event, command, phase or turn.

    Press ? for the keys. Where standard input is no terminal, each of its lines is a key.
    """
    if record == "-":
        raise click.UsageError("step reads its keys from standard input; give the record as a file.")
    timeline = _timeline(record, viewer)
    step_through(timeline, _step_at(timeline, version).version)
    _end(timeline)


@replay.command()
@_record
@_json
def verify(record: str, *, as_json: bool) -> None:
    """Check everything that a record claims: chain, deal, rules, cards and result."""
    with _opened(record) as lines:
        report = verify_lines(lines)
    if as_json:
        click.echo(safe_json(msgspec.json.format(msgspec.json.encode(report))))
    else:
        _put_report(report)
    sys.exit(0 if report.ok else FINDING)


# --- reading -----------------------------------------------------------------------------------------------


@contextmanager
def _opened(record: str) -> Iterator[Iterator[bytes]]:
    try:
        with record_lines(record) as lines:
            yield lines
    except SourceUnreadable as error:
        raise click.UsageError(str(error)) from error


def _timeline(record: str, viewer: int | None) -> Timeline:
    """The record as the viewer may see it; ends the program where there is nothing to show."""
    with _opened(record) as lines:
        try:
            header, forms = read_record(lines)
        except RecordBroken as broken:
            _stop(Finding("record", broken.version, safe(broken.reason)))
        if not SCOPE.fullmatch(header.scope):
            _stop(Finding("scope", 0, f"there is no scope {safe(header.scope, 40)!r}"))
        scope = viewer_of(header.scope)
        asked = scope if viewer is None else viewer
        if scope not in (ALL, asked) and asked != PUBLIC:
            raise click.UsageError(
                f"--as {viewer_name(asked)}: this record holds only what {header.scope} may see."
            )
        timeline = read_timeline(header, forms, asked)
    if timeline.steps and asked >= len(timeline.steps[0].state.seats):
        raise click.UsageError(f"--as {viewer_name(asked)}: the table has no such seat.")
    return timeline


def _step_at(timeline: Timeline, version: int) -> Step:
    if 1 <= version <= timeline.last:
        return timeline.at(version)
    if timeline.broken is not None:
        _stop(timeline.broken)
    raise click.UsageError(f"--at {version}: the record ends with version {timeline.last}.")


# --- answering ---------------------------------------------------------------------------------------------


def _step_json(timeline: Timeline, step: Step) -> dict[str, Any]:
    words = Words(timeline.header.catalogue)
    return {
        "game": timeline.header.game,
        "as": viewer_name(timeline.viewer),
        "of": timeline.last,
        "text": describe(words, step.state, step.event),
        "entry": step.form.entry,
        "hash": step.form.hash,
    }


def _put_json(value: dict[str, Any]) -> None:
    click.echo(safe_json(msgspec.json.encode(value)))


def _put_report(report: Report) -> None:
    put_row = _rows()
    click.echo(f"{safe(report.game, 40) or 'This record'}: {'verified' if report.ok else 'DOES NOT VERIFY'}")
    for finding in report.findings:
        put_row("finding", _sentence(finding))
    if report.stopped_early:
        put_row("", "Nothing after this was read: it would mean nothing.")
    put_row("scope", safe(report.scope, 40))
    if report.system:
        engine = f"version {report.system_version}, engine version {report.engine_version}"
        put_row("rule system", f"{safe(report.system, 40)}, {engine}")
    if report.catalogue_hash:
        put_row("catalogue", _catalogue_line(report.catalogue, report.catalogue_hash, report.provenance))
    put_row("entries", f"{report.entries} hold")
    put_row("chain head", report.head or "none")
    put_row("status", report.status)
    if report.status != "finished" and report.ok:
        put_row("", "The secret is not opened yet: shuffles and salts can be checked when it is.")
    if report.scores:
        put_row("coins", ", ".join(f"seat {seat}: {score}" for seat, score in enumerate(report.scores)))
    for name, count in report.checks.items():
        put_row(f"  {name}", f"{count:>6}  {CHECKS[name]}")


def _catalogue_line(name: str, content_hash: str, provenance: Iterable[str]) -> str:
    return f"{safe(name, 60)} ({content_hash[:16]}), figures from: {', '.join(provenance)}"


def _rows() -> Callable[[str, str], None]:
    return lambda name, text: click.echo(f"{name:<14}{text}")


def _sentence(finding: Finding) -> str:
    where = f"version {finding.version}" if finding.version else "the header"
    return f"{where}: {finding.reason} [{finding.check}]"


def _end(timeline: Timeline) -> None:
    """Leave with a finding where the record does not verify."""
    if timeline.broken is not None:
        _stop(timeline.broken)


def _stop(finding: Finding) -> NoReturn:
    click.echo(f"The record does not verify at {_sentence(finding)}", err=True)
    sys.exit(FINDING)
