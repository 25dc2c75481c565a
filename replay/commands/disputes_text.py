"""A case, the queue and a preview as lines of text; whatever people wrote is safe for a terminal."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from textwrap import wrap
from typing import Any, Final

from replay.client.disputes import Case, CaseEvent, Person, QueuedCase, Ruling
from replay.platform.safe_text import safe
from replay.terminal.table_text import when

WIDTH: Final = 80
_INDENT: Final = "    "
_LONGEST: Final = 4_000


def queue_lines(queue: Iterable[QueuedCase], now: int) -> Iterator[str]:
    """A line for each case, under a heading."""
    rows = [*queue]
    if not rows:
        yield "No dispute is open."
        return
    width = max(len("case"), *(len(f"{each.game}/{each.dispute}") for each in rows))
    yield f"{'case':{width}}  {'age':>5}  {'status':14}  {'reason':11}  {'version':>7}  arbiter"
    for each in rows:
        name = safe(f"{each.game}/{each.dispute}", 80)
        arbiter = safe(each.arbiter or "-", 40)
        yield (
            f"{name:{width}}  {age(now - each.opened):>5}  {safe(each.status, 14):14}  {safe(each.reason, 11):11}"
            f"  {each.version:>7}  {arbiter}"
        )


def age(milliseconds: int) -> str:
    """How long ago, in the largest unit that fits.

    >>> age(90_000), age(7_200_000), age(200_000_000)
    ('1m', '2h', '2d')
    """
    seconds = max(milliseconds, 0) // 1000
    for unit, size in (("d", 86_400), ("h", 3_600), ("m", 60)):
        if seconds >= size:
            return f"{seconds // size}{unit}"
    return f"{seconds}s"


def case_lines(case: Case) -> Iterator[str]:
    """A case as it stands, and what happened in it."""
    yield f"Dispute {safe(case.game, 80)}/{case.dispute}: {safe(case.status, 20)}"
    yield f"  about      version {case.version}, hash {safe(case.hash, 64)[:16]}"
    yield f"  reason     {safe(case.reason, 20)}{', the game waits' if case.pause else ''}"
    yield f"  opened by  {_person(case.opener)}, {when(case.opened)}"
    if case.arbiter is not None:
        yield f"  arbiter    {_person(case.arbiter)}"
    if case.until is not None:
        yield f"  until      {when(case.until)}"
    for what, names in (("accepted", case.accepted), ("awaited", case.awaited)):
        if names:
            yield f"  {what:9}  {_join(names)}"
    if case.possible:
        yield f"  possible   {', '.join(safe(each, 20) for each in case.possible)}"
    yield f"  pack       {safe(case.pack or 'none yet', 64)}{', another one is being built' if case.pack_due else ''}"
    yield from _paragraph(case.text)
    for ruling in case.rulings:
        yield from _ruling_lines(ruling)
    if case.appeal:
        yield f"  appeal of {_person(case.appellant)}:"
        yield from _paragraph(case.appeal)
    if case.ending is not None:
        applied = (
            "applied to the game's log" if case.ending.get("applied") else "not applied to the game's log"
        )
        at, why = when(_number(case.ending.get("at"))), safe(str(case.ending.get("why")), 30)
        yield f"  final      {at}, {applied} ({why})"
    if case.events:
        yield "  what happened:"
        yield from chain.from_iterable(map(_event_lines, case.events))


def acceptance_lines(case: Case) -> Iterator[str]:
    """Who must still accept the ruling of a case for it to stand at once, and when it stands without."""
    if case.awaited:
        yield f"Still to accept: {_join(case.awaited)}."
    if case.until is not None:
        yield f"Without an appeal it is final at {when(case.until)}."


def preview_lines(preview: Mapping[str, Any]) -> Iterator[str]:
    """What a ruling would change."""
    yield f"A ruling '{safe(str(preview.get('kind')), 20)}' would:"
    for line in preview.get("effects", ()):
        yield from _paragraph(str(line), "  - ")
    if preview.get("branch"):
        yield "  look at it as a branch:"
        yield f"{_INDENT}{safe(str(preview['branch']), 2_000)}"


def _ruling_lines(ruling: Ruling) -> Iterator[str]:
    yield f"  ruling     {safe(ruling.kind, 20)} by {_person(ruling.by)}, {when(ruling.at)}"
    if ruling.to_version is not None:
        yield f"{_INDENT}to version {ruling.to_version}"
    if ruling.winners:
        yield f"{_INDENT}winners: {', '.join(f'seat {seat}' for seat in ruling.winners)}"
    if ruling.scores:
        yield f"{_INDENT}scores: {', '.join(map(str, ruling.scores))}"
    yield from _paragraph(f"Scope: {ruling.scope}")
    yield from _paragraph(f"Reason: {ruling.reason}")


def _event_lines(event: CaseEvent) -> Iterator[str]:
    yield f"  {event.number:>4}  {when(event.at)}  {safe(event.type, 24)} by {_person(event.by)}"
    if event.type == "evidence_added":
        versions = event.data.get("versions") or ()
        yield from _paragraph(str(event.data.get("text", "")), "          ")
        if versions:
            yield from _paragraph(f"about {', '.join(map(str, versions))}", "          ")


def _paragraph(text: str, first: str = _INDENT) -> Iterator[str]:
    """A text of somebody's, folded, each of its lines by itself."""
    for line in text[:_LONGEST].splitlines():
        yield from wrap(safe(line, _LONGEST), WIDTH, initial_indent=first, subsequent_indent=_INDENT) or [""]


def _join(names: Iterable[str]) -> str:
    return ", ".join(safe(each, 40) for each in names)


def _person(person: Person | None) -> str:
    if person is None:
        return "nobody"
    name, who = safe(person.name, 60), safe(person.who, 40)
    return f"{name} ({who})" if name and name != who else who


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0
