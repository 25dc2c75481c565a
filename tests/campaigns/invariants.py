"""The invariants after every fault: nothing acknowledged is lost, nothing is doubled, and every game is still valid.

Streams bring every version once, records verify with both verifiers, every finished game is found valid and notified,
and the list of games is what the log says. `timekeeping.py` has the invariants of clocks.
"""

import random
import time
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec
from rq.registry import StartedJobRegistry

from events.store.errors import StoreDamaged
from events.store.event_store import FeedEntry
from events.store.redis.keys import GameKeys
from events.store.redis.redis_store import RedisEventStore
from events.store.remembered_commands import RememberedAnswer
from replay.verification.verify import verify_lines
from service.projections.comparing import Comparison
from service.projections.game_list import GameList
from service.projections.listed_games import Filter
from service.projections.progress import projection_progress
from service.storage.queues import VALIDATION
from service.verification.finished_games import is_finished
from tests.campaigns.installation import Installation
from tests.campaigns.load import Acknowledged, Ledger, Sent
from tests.support.http_play import Api, events_of
from tests.support.second_verifier import NODE_PROGRAM, NODE_REQUIRED, SecondVerifier

FEED_PAGE: Final = 1000
MAX_REPEATED: Final = 150  # acknowledged requests that are sent once more
LAG_SECONDS: Final = 60.0
PATIENT_SECONDS: Final = 180.0
"""An abandoned job is taken up within a minute; a failed one delays the next attempt by a minute."""
IMPATIENT_SECONDS: Final = 20.0
MOVE_SECONDS: Final = 180.0  # how long it may take until every game of bots has moved
LOOK_SECONDS: Final = 0.2
Heard = Sequence[tuple[str, list[str], bool]]
"""Followed games, each with the hashes that arrived and whether the stream came to its end."""


@dataclass(slots=True)
class Aftermath:
    """The contents of the log, and the violations.

    `systems` counts the records that verify by rule system, `clocked` those with a clock.
    """

    games: int = 0
    events: int = 0
    finished: set[str] = field(default_factory=set)
    systems: Counter[str] = field(default_factory=Counter)
    clocked: int = 0
    findings: list[str] = field(default_factory=list)


def examine(
    installation: Installation,
    ledger: Ledger,
    heard: Heard | None = None,
    *,
    patient: bool = True,
    most_others: int | None = None,
) -> Aftermath:
    """Compare the log with all answers to clients, and its games, feeds, records and projections with each other.

    Unless `patient`, a finished game may lack its verdict because its validation was with a killed worker.
    `most_others` limits how many games are examined that the ledger does not know; verdicts, list and notifications
    are then left out, since their work may still be queued.
    """
    found, findings, versions = Aftermath(), list[str](), dict[str, int]()
    with installation.store() as store:
        if most_others is None:
            findings += verdict_findings(installation, store, patient=patient)
        for partition in range(store.partitions):
            findings += feed_findings(store, partition)
            versions |= games_in(store, partition)
        found.games, found.events = len(versions), sum(versions.values())
        found.finished = {game for game, version in versions.items() if is_finished(store, game, version)}
        known = {each.game for each in ledger.acknowledged}
        findings += [f"game {game} was acknowledged, and is in no feed" for game in known - versions.keys()]
        others = [game for game in versions if game not in known][:most_others]
        chosen = {game: versions[game] for game in (*others, *(known & versions.keys()))}
        findings += _game_findings(installation, store, chosen, ledger, found)
        findings += [] if heard is None else stream_findings(installation, ledger, heard)
        findings += repetition_findings(installation, ledger)
        if most_others is None:
            findings += list_findings(store)
            findings += notification_findings(installation, found.finished)
        findings += [f"partition {each} is quarantined" for each in store.quarantine.reasons()]
    found.findings = findings
    return found


def _game_findings(
    installation: Installation,
    store: RedisEventStore,
    versions: Mapping[str, int],
    ledger: Ledger,
    found: Aftermath,
) -> Iterator[str]:
    acknowledged, refused = defaultdict[str, list[Acknowledged]](list), defaultdict[str, list[Sent]](list)
    for yes in ledger.acknowledged:
        acknowledged[yes.game].append(yes)
    for game, no in ledger.refused:
        refused[game].append(no)
    with ExitStack() as stack:
        has_node = NODE_PROGRAM is not None or NODE_REQUIRED
        second = stack.enter_context(SecondVerifier()) if has_node else None
        for game, version in versions.items():
            yield from stored_game_findings(store, game, version, acknowledged[game], refused[game])
            yield from served_game_findings(installation, game, version, acknowledged[game])
            yield from record_findings(installation.service.api, game, second, found)


def games_in(store: RedisEventStore, partition: int) -> dict[str, int]:
    """Return the games in a feed, and the version of each."""
    return {entry.game_id: entry.last_version for entry in _feed(store, partition)}


def feed_findings(store: RedisEventStore, partition: int) -> Iterator[str]:
    """Check that positions have no gap, and that each version of a game comes once and in order."""
    versions: dict[str, int] = {}
    for position, entry in enumerate(_feed(store, partition), start=1):
        if entry.position != position:
            yield f"the feed of partition {partition} goes from {position - 1} to {entry.position}"
            return
        if entry.first_version != versions.get(entry.game_id, 0) + 1:
            yield f"the feed has version {entry.first_version} of {entry.game_id} out of order"
        versions[entry.game_id] = entry.last_version


def _feed(store: RedisEventStore, partition: int) -> Iterator[FeedEntry]:
    position = 0
    while entries := store.read_feed(partition, position, FEED_PAGE):
        yield from entries
        position = entries[-1].position


def stored_game_findings(
    store: RedisEventStore,
    game: str,
    version: int,
    acknowledged: Sequence[Acknowledged],
    refused: Sequence[Sent],
) -> Iterator[str]:
    """Check that commands are stored as acknowledged, refused ones are not, and each version has one command."""
    answers = store.connection.command("HGETALL", GameKeys(game, store.partitions).commands)
    pairs = zip(answers[::2], answers[1::2], strict=True)
    stored = {name.decode(): msgspec.json.decode(each, type=RememberedAnswer) for name, each in pairs}
    for yes in acknowledged:
        yield from _changes(game, yes, stored)
    names = [no.command_id for no in refused if no.command_id in stored]
    yield from (f"game {game}: {name} was refused, and it is in the log" for name in names)
    expected = 1
    for each in sorted(stored.values(), key=lambda one: one.first_version):
        if each.first_version != expected:
            yield f"game {game}: version {expected} belongs to no command, or to two"
            break
        expected = each.last_version + 1
    else:
        if expected != version + 1:
            yield f"game {game}: the commands end at version {expected - 1}, the log at {version}"
    try:
        if len(store.read(game)) != version:
            yield f"game {game}: the stream does not end where the feed says"
    except StoreDamaged as damaged:
        yield f"game {game}: the stream cannot be read: {damaged}"
    head = store.head(game)
    if head is None or head.version != version:
        yield f"game {game}: head and feed do not agree"


def _changes(game: str, acknowledged: Acknowledged, stored: Mapping[str, RememberedAnswer]) -> Iterator[str]:
    if acknowledged.sent is None:
        return
    name = acknowledged.sent.command_id
    if (found := stored.get(name)) is None:
        yield f"game {game}: the acknowledged command {name} is lost"
    elif (found.last_version, found.head_hash) != (acknowledged.version, acknowledged.hash):
        yield f"game {game}: {name} is stored otherwise than acknowledged"
    elif found.last_version - found.first_version + 1 != acknowledged.events:
        yield f"game {game}: {name} was acknowledged with {acknowledged.events} events"


def served_game_findings(
    installation: Installation, game: str, version: int, acknowledged: Sequence[Acknowledged]
) -> Iterator[str]:
    """Check that the pages of events have every version once, with the hashes that were acknowledged."""
    events = events_of(installation.service.api, game)
    if [event["entry"]["version"] for event in events] != list(range(1, version + 1)):
        yield f"game {game}: the events served have a gap"
        return
    for each in acknowledged:
        if each.version > version or events[each.version - 1]["hash"] != each.hash:
            yield f"game {game}: version {each.version} is not the one that was acknowledged"


def record_findings(api: Api, game: str, second: SecondVerifier | None, found: Aftermath) -> Iterator[str]:
    """Check that both verifiers accept the record of a game, and agree on it and on its clock."""
    record = api.call("GET", f"/v1/games/{game}/record")
    if record.status != 200:
        yield f"game {game}: its record was answered {record.status}: {record.body[:300]!r}"
        return
    lines = record.body.splitlines(keepends=True)
    report = verify_lines(lines)
    clock = None if report.clock is msgspec.UNSET else (report.clock.expired, report.clock.credits)
    if not report.ok:
        yield f"game {game}: its record does not verify: {report.findings}"
        return
    if second is not None:
        other: dict[str, Any] = second.report(lines)
        theirs = other.get("clock") and (other["clock"]["expired"], other["clock"]["credits"])
        summary = other["ok"], other["entries"], other["head"], theirs or None
        if summary != (True, report.entries, report.head, clock):
            yield f"game {game}: the second verifier says {summary}: {other['findings']}"
            return
    found.systems[report.system] += 1
    found.clocked += clock is not None


def stream_findings(installation: Installation, ledger: Ledger, heard: Heard) -> Iterator[str]:
    """Check that streams brought the beginning of what is served now, or all of it where they came to their end."""
    api = installation.service.api
    if not any(hashes for _, hashes, _ in heard):
        yield "no stream has brought anything"
    for game, hashes, has_ended in heard:
        given_up = game in ledger.given_up
        is_gone = given_up and api.call("GET", f"/v1/games/{game}").status == 404
        served = [] if is_gone else [event["hash"] for event in events_of(api, game)]
        same = [ours == theirs for ours, theirs in zip(hashes, served, strict=False)]
        # A stream may have brought a lost end that was given up, but must never have continued from there.
        left = same.index(False) if False in same else len(same)
        if served[: len(hashes)] != hashes and not (given_up and not any(same[left:])):
            yield f"game {game}: its stream brought other events than the log has"
        if has_ended and not given_up and len(hashes) != len(served):
            yield f"game {game}: its stream ended at version {len(hashes)}, the log at {len(served)}"


def repetition_findings(installation: Installation, ledger: Ledger) -> Iterator[str]:
    """Check that a request repeated with its key is recognised, and answered as before."""
    requests = [(each, each.sent) for each in ledger.acknowledged if each.sent is not None]
    for each, sent in random.Random(1).sample(requests, min(MAX_REPEATED, len(requests))):
        headers, where = {"Idempotency-Key": sent.key}, f"{sent.path}, key {sent.key}"
        api = installation.service.api
        answer = api.call("POST", sent.path, sent.body, token=sent.token, headers=headers)
        if (answer.json.get("version"), answer.json.get("hash")) != (each.version, each.hash):
            yield f"{where}: repeated, it was answered {answer.status} otherwise than before"
        elif answer.headers.get("idempotent-replayed") != "true":
            yield f"{where}: repeated, it was not recognised"


def projection_lag(store: RedisEventStore) -> int:
    """Return how many feed entries the list of games has not processed."""
    return sum(each.lag for each in projection_progress(store))


def verdict_findings(installation: Installation, store: RedisEventStore, *, patient: bool) -> Iterator[str]:
    """Check that projections catch up, and that every finished game is found valid."""
    deadline = time.monotonic() + LAG_SECONDS
    while (lag := projection_lag(store)) and time.monotonic() < deadline:
        time.sleep(LOOK_SECONDS)
    if lag:
        yield f"the projections are {lag} feed entries behind"
    deadline = time.monotonic() + (PATIENT_SECONDS if patient else IMPATIENT_SECONDS)
    while (
        pending := _with_verdict(store, "pending") - (frozenset() if patient else _in_work(installation))
    ) and time.monotonic() < deadline:
        time.sleep(LOOK_SECONDS)
    yield from (f"game {game} is finished and has no verdict" for game in pending)
    yield from (f"game {game} was found invalid" for game in _with_verdict(store, "invalid"))


def _with_verdict(store: RedisEventStore, verdict: str) -> frozenset[str]:
    found, cursor, is_first = set[str](), None, True
    while is_first or cursor is not None:
        page, cursor = GameList(store).page(Filter(status="finished", validation=verdict), 200, cursor)
        found |= {summary.game for summary in page}
        is_first = False
    return frozenset(found)


def _in_work(installation: Installation) -> frozenset[str]:
    """Return the games whose validation is with a worker, including a killed one."""
    with installation.queue() as connection:
        jobs = StartedJobRegistry(VALIDATION, connection=connection).get_job_ids(cleanup=False)
    return frozenset(job.split("-")[1] for job in jobs)


def list_findings(store: RedisEventStore) -> Iterator[str]:
    """Check that the list of games equals the one rebuilt from the log, byte for byte."""
    try:
        for each in Comparison(store).run(lambda _position: None):
            yield f"the list has {each.listed} in {each.part} for {each.member}, and the log says {each.rebuilt}"
    except StoreDamaged as damaged:
        yield f"the list cannot be compared: {damaged}"


def notification_findings(installation: Installation, finished: Collection[str]) -> Iterator[str]:
    """Check that the endpoint of the installation, if it has one, is notified of every finished game."""
    if (endpoint := installation.endpoint) is None:
        return
    deadline, missing = time.monotonic() + LAG_SECONDS, {*finished}
    while missing and time.monotonic() < deadline:
        time.sleep(LOOK_SECONDS)
        missing -= {each.json["data"]["game"] for each in endpoint.told if each.type == "game.finished"}
    yield from (f"the webhook was not notified of the end of game {game}" for game in sorted(missing))


def standing_findings(installation: Installation, games: Collection[str]) -> Iterator[str]:
    """Check that each of these games of bots has ended, or moves."""
    before, deadline = (
        {game: installation.version_of(game) for game in games},
        time.monotonic() + MOVE_SECONDS,
    )
    standing = [*games]
    with installation.store() as store:
        while standing and time.monotonic() < deadline:
            time.sleep(LOOK_SECONDS)
            still = [game for game in standing if installation.version_of(game) == before[game]]
            standing = [game for game in still if not is_finished(store, game, before[game])]
    yield from (f"game {game}, of bots, stands still at version {before[game]}" for game in standing)
