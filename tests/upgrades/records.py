"""Every record of the store, by both verifiers."""

from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field

from replay.verification.verify import verify_lines
from tests.faults.in_the_store import games_in
from tests.support.second_verifier import SecondVerifier
from tests.upgrades.fleet import Fleet


@dataclass
class Records:
    """What both verifiers said."""

    systems: Counter[str] = field(default_factory=Counter)
    """Games that both accept, by rule system."""
    findings: list[str] = field(default_factory=list)


def verify_all(fleet: Fleet) -> Records:
    """Have every game's public record verified twice."""
    found = Records()
    with SecondVerifier() as second:
        for game in _games(fleet):
            record = fleet.service.api.call("GET", f"/v1/games/{game}/record")
            if record.status != 200:
                found.findings.append(
                    f"game {game}: its record was answered {record.status}: {record.body[:200]!r}"
                )
                continue
            lines = record.body.splitlines(keepends=True)
            report, other = verify_lines(lines), second.report(lines)
            if (
                report.ok
                and other["ok"]
                and (report.entries, report.head) == (other["entries"], other["head"])
            ):
                found.systems[report.system] += 1
            else:
                found.findings.append(
                    f"game {game}: its record does not verify: {report.findings}; {other['findings']}"
                )
    return found


def _games(fleet: Fleet) -> Iterator[str]:
    with closing(fleet.open_store()) as store:
        for partition in range(store.partitions):
            yield from games_in(store, partition)
