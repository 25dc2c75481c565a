"""The figures of a campaign of clocks: as a JSON value, and as a table."""

from typing import Any

from rich.table import Table

from tests.faults.clocks.campaign import Result


def figures(result: Result) -> dict[str, Any]:
    """Everything that was counted; times are in milliseconds, `seconds` is the length of the campaign."""
    judged = result.aftermath.judged
    return {
        "seed": result.seed,
        "seconds": round(result.seconds),
        "outages": {
            name: {"all": every, "that count": counting}
            for name, (every, counting) in result.outages_by_name().items()
        },
        "games": len(result.games),
        "ended by themselves": sum(game.by_itself for game in result.games),
        "events": result.aftermath.events,
        "records verified twice": result.aftermath.verified,
        "acknowledged": result.tally.acknowledged,
        "known again": result.tally.replayed,
        "refused as too late": judged.late,
        "waits": judged.waits,
        "waits in an outage": judged.exposed,
        "outage given back": judged.given_back,
        "credits": judged.credits,
        "credits without an outage": judged.unexplained,
        "expiries": judged.expiries,
        "latest expiry": judged.latest,
        "findings": list(result.findings),
    }


def results_table(result: Result) -> Table:
    """The same for people; findings are only counted."""
    table = Table("what", "how many")
    for name, value in figures(result).items():
        if isinstance(value, dict):
            for kind, counts in value.items():
                table.add_row(kind, f"{counts['all']}, {counts['that count']} longer than 3.5 s")
        else:
            table.add_row(name, str(len(value) if isinstance(value, list) else value))
    return table
