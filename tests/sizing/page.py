"""The page docs/growing.md: what so many games a day take, as the calculation says it."""

from collections.abc import Sequence
from math import ceil
from pathlib import Path
from typing import Final

from tests.sizing.measured import ALL, HIGHEST, LIVE, STAYS, Measured
from tests.sizing.needs import (
    COMMANDS_OF_A_GAME,
    EVENTS_OF_A_GAME,
    PARTITIONS,
    USUAL,
    Assumptions,
    Needs,
    needs,
)
from tests.support.servers import ROOT

PAGE: Final = ROOT / "docs" / "growing.md"
RATES: Final = (100, 10_000, 1_000_000)
LEAST: Final = 0.1
_TABLE: Final = "<!-- the table -->"
_FIGURES: Final = "<!-- the figures -->"
_SMALL, _SOON = "<!-- small machines -->", "<!-- archived after a day -->"
_PRIMARIES, _FOR_COMMANDS = "<!-- all primaries -->", "<!-- primaries for commands -->"
_MACHINES, _SERVER, _STAYS = "<!-- machines of web -->", "<!-- a server -->", "<!-- what stays -->"
PROCESSORS: Final = 16
"""Of a machine for many web processes, each of which takes one."""
_TEXT: Final = Path(__file__).parent / "growing.md"


def page() -> str:
    """The whole page."""
    text = _TEXT.read_text(encoding="utf-8")
    most, soon = needs(RATES[-1]), needs(RATES[-1], Assumptions(archived_after=1))
    told = {
        _TABLE: table([needs(games) for games in RATES]),
        _FIGURES: _figures(),
        _SMALL: _small_machines(),
        _SOON: f"{soon.full_after} days",
        _PRIMARIES: f"{PARTITIONS} primaries",
        _FOR_COMMANDS: str(most.primaries),
        _MACHINES: f"{ceil(most.web / PROCESSORS)} machines with {PROCESSORS} processors",
        _SERVER: f"{USUAL.server:g} GB",
        _STAYS: f"{STAYS.value / LIVE.value:.0%}",
    }
    for place, words in told.items():
        text = text.replace(place, words)
    return text


def table(found: Sequence[Needs], given: Assumptions = USUAL) -> str:
    """A column for each number of games, as Markdown."""
    rows = {
        "games a day": [f"{each.games:,}" for each in found],
        "commands a second in the busiest hour": [_few(each.commands) for each in found],
        "streams at once": [f"{each.streams:,}" for each in found],
        "processors kept busy then, by commands, streams and verdicts": [
            _few(each.processors) for each in found
        ],
        "by everything, with clients on the same processors": [
            _few(each.processors_at_most) for each in found
        ],
        "processes of `web` (`WEB_PROCESSES`, over all machines)": [str(each.web) for each in found],
        "their memory with these streams, at most": [_gigabytes(each.web_memory) for each in found],
        "memory of all others but the store": [_gigabytes(each.others_memory) for each in found],
        "`worker`": [str(each.workers) for each in found],
        "`projector`, `webhooks`, each; `bots`": [f"{each.followers}; 1" for each in found],
        "store": [each.store for each in found],
        "primaries for the commands alone": [str(each.primaries) for each in found],
        f"store's memory: games of {given.archived_after:g} days, not archived": [
            _gigabytes(each.live) for each in found
        ],
        "and what stays of archived games, each year": [_gigabytes(each.stays) for each in found],
        f"so servers of {given.server:g} GB take no new games after": [_until_full(each) for each in found],
        "store's disk: these games, at most": [_gigabytes(each.disk) for each in found],
        "and archived ones, each year": [_gigabytes(each.disk_stays) for each in found],
        "a backup: these games": [_gigabytes(each.backup) for each in found],
        "and archived ones, each year more": [_gigabytes(each.backup_stays) for each in found],
        "archive, each year": [_gigabytes(each.archive) for each in found],
    }
    lines = [f"| {name} | {' | '.join(cells)} |" for name, cells in rows.items()]
    return "\n".join([lines[0], "|---|" + "---|" * len(found), *lines[1:]])


def _small_machines() -> str:
    """How long the smallest number of games fits into machines of which the store may take half the memory."""
    days = {memory: needs(RATES[0], Assumptions(server=memory / 2)).full_after for memory in (4, 16, 64)}
    return ", ".join(f"one of {memory} GB after {each:,} days" for memory, each in days.items())


def _figures() -> str:
    lines = ["| figure | what | by | in |", "|---|---|---|---|"]
    lines += [
        f"| {each.value:,.12g} | {each.what} | {_source(each)} | [{each.document}]({each.document}) |"
        for each in ALL
    ]
    game = f"So a game has {COMMANDS_OF_A_GAME:.0f} commands and {EVENTS_OF_A_GAME:.0f} events"
    machine = f"{HIGHEST.value / 2:.0f} commands a second with its clients beside it"
    lines += ["", f"{game}, and a machine with two processors that does everything carries", f"{machine}."]
    return "\n".join(lines)


def _source(figure: Measured) -> str:
    return f"`{figure.command}`" if figure.command else figure.otherwise


def _few(value: float) -> str:
    if value < LEAST:
        return f"under {LEAST}"
    return f"{value:,.0f}" if value >= 10 else f"{value:.2g}"


def _gigabytes(value: float) -> str:
    return f"{value / 1000:,.1f} TB" if value >= 1000 else f"{_few(value)} GB"


def _until_full(found: Needs) -> str:
    years, count = found.full_after / 365, "1 server" if found.primaries == 1 else f"{PARTITIONS} primaries"
    if not found.full_after:
        return f"{count}: at once"
    return f"{count}: {years:.0f} years" if years >= 2 else f"{count}: {found.full_after} days"
