"""What must hold for those who only have the HTTP interface: their events, their answers, their records."""

import random
from collections.abc import Iterator, Sequence

from replay.verification.verify import verify_lines
from tests.faults.installation import Installation
from tests.faults.ledger import Acknowledged, Ledger
from tests.faults.players import Players
from tests.support.http_play import events_of

NOT_FOUND = 404
MOST_REPEATED = 150
"""Acknowledged requests that are sent once more."""


def served_game_findings(
    installation: Installation, game: str, version: int, acknowledged: Sequence[Acknowledged]
) -> Iterator[str]:
    """All pages of events have every version once with the hashes that were acknowledged; the record verifies."""
    api = installation.service.api
    events = events_of(api, game)
    if [event["entry"]["version"] for event in events] != list(range(1, version + 1)):
        yield f"game {game}: the events served have a gap"
        return
    for each in acknowledged:
        if each.version > version or events[each.version - 1]["hash"] != each.hash:
            yield f"game {game}: version {each.version} is not the one that was acknowledged"
    record = api.call("GET", f"/v1/games/{game}/record")
    report = verify_lines(record.body.splitlines(keepends=True))
    if record.status != 200:
        yield f"game {game}: its record was answered {record.status}: {record.body[:300]!r}"
    elif not report.ok:
        yield f"game {game}: its record does not verify: {report.findings}"


def stream_findings(installation: Installation, players: Players) -> Iterator[str]:
    """What came over the streams is the beginning of what is served now: nothing else, nothing twice, no gap."""
    if not any(heard for _, heard in players.heard()):
        yield "no stream has brought anything"
    for game, heard in players.heard():
        given_up = game in players.ledger.given_up
        served = _hashes_served(installation, game, may_be_gone=given_up)
        same = [ours == theirs for ours, theirs in zip(heard, served, strict=False)]
        # Of a game whose end was given up a stream may have brought more; going on from there it must never have.
        left = same.index(False) if False in same else len(same)
        told = given_up and not any(same[left:])
        if served[: len(heard)] != heard and not told:
            yield f"game {game}: its stream brought other events than the log has"


def _hashes_served(installation: Installation, game: str, *, may_be_gone: bool) -> list[str]:
    """The hashes of a game's events; none where it was given up from its first event on."""
    api = installation.service.api
    if may_be_gone and api.call("GET", f"/v1/games/{game}").status == NOT_FOUND:
        return []
    return [event["hash"] for event in events_of(api, game)]


def replay_findings(installation: Installation, ledger: Ledger) -> Iterator[str]:
    """The same request with the same key is known again, and answered as before."""
    acknowledged = ledger.acknowledged
    for each in random.Random(1).sample(acknowledged, min(MOST_REPEATED, len(acknowledged))):
        asked = each.asked
        answer = installation.service.api.call(
            "POST", asked.path, asked.body, token=asked.token, headers={"Idempotency-Key": asked.key}
        )
        told = answer.json
        if (told.get("version"), told.get("hash")) != (each.version, each.hash):
            yield f"{asked.path}, key {asked.key}: repeated, it was answered {answer.status} otherwise than before"
        elif answer.headers.get("idempotent-replayed") != "true":
            yield f"{asked.path}, key {asked.key}: repeated, it was not known again"
