"""What is looked at when the outages are over: every log, what clients were told, and every record."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec

from replay.verification.verify import verify_lines
from tests.faults.clocks.judging import Judged, judge
from tests.faults.clocks.outages import Outage
from tests.faults.clocks.seats import Timed
from tests.faults.clocks.waits import read_time
from tests.faults.in_the_store import feed_findings, games_in, stored_game_findings
from tests.faults.installation import Installation
from tests.faults.ledger import Acknowledged, Ledger, Refused
from tests.support.second_verifier import SecondVerifier


@dataclass(frozen=True, slots=True)
class Aftermath:
    """What the logs hold, and what is wrong with them."""

    judged: Judged
    events: int
    verified: int
    """Records that both verifiers accept."""
    findings: tuple[str, ...]


def examine(
    installation: Installation, games: Sequence[Timed], outages: Sequence[Outage], ledger: Ledger
) -> Aftermath:
    """Judge all games, and hold the store against what the ledger says."""
    judged, findings, versions = Judged(), list[str](), dict[str, int]()
    acknowledged: dict[str, list[Acknowledged]] = defaultdict(list)
    refused: dict[str, list[Refused]] = defaultdict(list)
    for yes in ledger.acknowledged:
        acknowledged[yes.game].append(yes)
    for no in ledger.refused:
        refused[no.game].append(no)
    store = installation.open_store()
    try:
        for partition in range(store.partitions):
            findings += feed_findings(store, partition)
            versions |= games_in(store, partition)
        findings += [
            f"game {game} was acknowledged, and no feed tells of it"
            for game in acknowledged.keys() - versions.keys()
        ]
        for game, version in versions.items():
            findings += stored_game_findings(store, game, version, acknowledged[game], refused[game])
        for timed in games:
            judged.add(judge(timed.game, read_time(store.read(timed.game)), outages, timed.watched))
    finally:
        store.close()
    verified = 0
    with SecondVerifier() as second:
        for timed in games:
            found = list(_record_findings(installation, second, timed))
            verified += not found
            findings += found
    return Aftermath(judged, sum(versions.values()), verified, (*findings, *judged.findings))


def _record_findings(installation: Installation, second: SecondVerifier, timed: Timed) -> Iterator[str]:
    """Both verifiers accept the record of a game, and agree on its clock; and the game has ended."""
    game = timed.game
    if not timed.has_ended:
        yield f"game {game} has not come to its end"
    record = installation.service.api.call("GET", f"/v1/games/{game}/record")
    if record.status != 200:
        yield f"game {game}: its record was answered {record.status}: {record.body[:300]!r}"
        return
    lines = record.body.splitlines(keepends=True)
    report, other = verify_lines(lines), second.report(lines)
    if not report.ok:
        yield f"game {game}: its record does not verify: {report.findings}"
    if not other["ok"]:
        yield f"game {game}: the second verifier does not accept its record: {other}"
    ours = None if report.clock is msgspec.UNSET else (report.clock.expired, report.clock.credits)
    theirs = (other["clock"]["expired"], other["clock"]["credits"]) if other["clock"] else None
    if ours is None or ours != theirs:
        yield f"game {game}: of expiries and credits one verifier says {ours}, the other one {theirs}"
