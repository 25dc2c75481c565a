"""What must hold when the faults are over: everything acknowledged is there, once, and every game is still valid."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from events.store.redis.redis_store import RedisEventStore
from service.verification.finished_games import is_finished
from tests.faults.in_the_store import feed_findings, games_in, stored_game_findings
from tests.faults.installation import Installation
from tests.faults.ledger import Acknowledged, Ledger, Refused
from tests.faults.over_http import replay_findings, served_game_findings, stream_findings
from tests.faults.players import Players
from tests.faults.projections import projection_findings, verdict_findings


@dataclass(frozen=True, slots=True)
class Aftermath:
    """What the log holds, and what is wrong with it."""

    games: int
    finished: int
    events: int
    findings: tuple[str, ...]


def examine(installation: Installation, players: Players, *, patient: bool) -> Aftermath:
    """Compare the log with what clients were told, and its games, feeds and projections with each other.

    Unless `patient`, a finished game may still be without its verdict because its validation was with a worker that
    was killed.
    """
    store = installation.open_store()
    try:
        versions: dict[str, int] = {}
        findings = list(verdict_findings(installation, store, patient=patient))
        for partition in range(store.partitions):
            findings += feed_findings(store, partition)
            versions |= games_in(store, partition)
        findings += _game_findings(installation, store, versions, players.ledger)
        findings += stream_findings(installation, players)
        findings += replay_findings(installation, players.ledger)
        findings += projection_findings(store)
        findings += [f"partition {each} is quarantined" for each in store.quarantine.reasons()]
        finished = sum(is_finished(store, game, version) for game, version in versions.items())
    finally:
        store.close()
    return Aftermath(len(versions), finished, sum(versions.values()), tuple(findings))


def _game_findings(
    installation: Installation, store: RedisEventStore, versions: dict[str, int], ledger: Ledger
) -> Iterator[str]:
    acknowledged: dict[str, list[Acknowledged]] = defaultdict(list)
    refused: dict[str, list[Refused]] = defaultdict(list)
    for yes in ledger.acknowledged:
        acknowledged[yes.game].append(yes)
    for no in ledger.refused:
        refused[no.game].append(no)
    for game in acknowledged.keys() - versions.keys():
        yield f"game {game} was acknowledged, and no feed tells of it"
    for game, version in versions.items():
        yield from stored_game_findings(store, game, version, acknowledged[game], refused[game])
        yield from served_game_findings(installation, game, version, acknowledged[game])
