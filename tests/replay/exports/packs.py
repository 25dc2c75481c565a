"""Evidence packs for tests: a disputed trade of a recorded game, and the golden text of its pack.

`python -m tests.replay.exports.packs` writes the golden text anew; say in the commit why it differs.
"""

from functools import cache
from pathlib import Path

import msgspec

from events.disputes.events import (
    AppealLodged,
    CaseEventRecord,
    DisputeOpened,
    EvidenceAdded,
    EvidencePackBuilt,
    RulingFinal,
    RulingGiven,
)
from events.disputes.evolve import fold
from events.disputes.facts import SERVICE, Person
from events.game.record import Header
from events.log.disclosure import ALL, Form
from replay.exports.evidence.builder import build_pack
from replay.exports.evidence.case import collect_dispute, earlier_rulings
from replay.exports.evidence.markdown import render_markdown
from replay.exports.evidence.pack import FORMAT, EvidencePack
from replay.timeline.timeline import Timeline, read_timeline
from tests.replay.annotations.writing import Writer
from tests.replay.commentary.told import LOGS, record_of

GOLDEN = Path(__file__).parent / "evidence.md"
GAME = LOGS / "classic" / "five-players.ndjson"
TRADE, HEAD = 34, 48
"""The disputed version, and where the game stood when the pack was made."""
ANN, BEN, ADA = Person("seat:0", "Ann"), Person("seat:1", "Ben"), Person("key-2", "Ada")
_AT = 1_767_226_000_000


def running(path: Path = GAME, head: int = HEAD) -> Timeline:
    """A recorded game as it was while it ran."""
    header, forms = record_of(path)
    return beginning(header, forms, head)


def beginning(header: Header, forms: tuple[Form, ...], head: int) -> Timeline:
    """The beginning of a record, of which all is shown."""
    return read_timeline(msgspec.structs.replace(header, secret="", attached=()), forms[:head], ALL)


def happened(timeline: Timeline) -> list[CaseEventRecord]:
    """An earlier case with its ruling, and one about a trade with evidence."""
    hashes = [step.form.hash for step in timeline.steps]
    end = timeline.last
    return [
        CaseEventRecord(
            1, _AT, BEN, DisputeOpened("not_agreed", "Too fast.", 30, hashes[29], pause=False, until=_AT + 9)
        ),
        CaseEventRecord(
            1, _AT + 1, ADA, RulingGiven("dismissed", "the offer of turn 1", "It was shown.", _AT + 2)
        ),
        CaseEventRecord(
            1,
            _AT + 2,
            SERVICE,
            RulingFinal(applied=False, why="no_appeal", game_version=end, game_hash=hashes[-1]),
        ),
        CaseEventRecord(
            2,
            _AT + 60_000,
            ANN,
            DisputeOpened(
                "not_agreed",
                "I never accepted that.\nLook at the time.",
                TRADE,
                hashes[TRADE - 1],
                pause=True,
                until=_AT + 9,
            ),
        ),
        CaseEventRecord(2, _AT + 60_500, SERVICE, EvidencePackBuilt(TRADE, "0" * 64, FORMAT)),
        CaseEventRecord(2, _AT + 61_000, BEN, EvidenceAdded("She did: see the offer.", (33, TRADE))),
        CaseEventRecord(2, _AT + 62_000, BEN, AppealLodged("Not fair.", _AT + 99_000)),
    ]


@cache
def golden_pack() -> EvidencePack:
    """A pack with everything in it."""
    timeline = running()
    log = happened(timeline)
    cases = fold(log[:-1])
    writer = Writer(hashes={step.version: step.form.hash for step in timeline.steps})
    writer.add("note", TRADE, comment="A *gift*, no trade.", move="mistake")
    return build_pack(
        timeline,
        collect_dispute(log, 2),
        rulings=earlier_rulings(timeline.header.game, cases[:1], "not_agreed"),
        annotations=writer.written.standing,
        dispute_log=len(log),
    )


if __name__ == "__main__":
    GOLDEN.write_text(render_markdown(golden_pack()), encoding="utf-8")
