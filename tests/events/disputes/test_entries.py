"""The dispute log: entries that name their game, chained by hash; what was changed in it is noticed."""

import msgspec
import pytest

from events.disputes import commands as c
from events.disputes.entries import DisputeEntry, DisputeLogBroken, next_entries, read_entries
from events.disputes.events import TYPES
from events.disputes.evolve import fold
from events.disputes.facts import SeenSince
from tests.events.disputes.given import ADA, ANN, BEN, BOB, FACTS, court

LONG = ("open", "claim", "rule", "appeal", "claim again")


def written() -> list[DisputeEntry]:
    """The log of a case that went to the end."""
    given = court(*LONG)
    given.do(c.AddEvidence("Look.", (3, 4)), ANN)
    given.facts = msgspec.structs.replace(FACTS, seen=(SeenSince("hand", 1, 1),))
    given.do(c.GiveRuling("rewound", "turn 7", "why", 16, seen_confirmed=True), BOB)
    given.final()
    return next_entries("g", None, given.happened)


def lines_of(entries: list[DisputeEntry]) -> list[tuple[bytes, str]]:
    """A log as it is stored."""
    return [(entry.line, entry.hash) for entry in entries]


def test_a_log_is_read_as_it_was_written() -> None:
    """And folds to the same cases."""
    entries = written()
    read = read_entries("g", lines_of(entries))
    assert read == entries
    (case,) = fold(each.happened for each in read)
    assert (case.status, case.evidence, len(case.rulings)) == ("final", 1, 2)


def test_an_entry_looks_like_this() -> None:
    """A golden vector: whoever checks such a log in another language has these bytes and this hash."""
    (first,) = next_entries("g", None, court("open").happened)
    assert first.line == (
        b'{"at":1800000000000,"by":{"name":"Ann","who":"seat:0"},"case":1,"data":{"hash":"'
        + b"0" * 62
        + b'11","pause":false,"reason":"not_agreed","text":"I never accepted that.","until":1800604800000,'
        b'"version":17},"game":"g","number":1,"type":"dispute_opened"}'
    )
    assert first.hash == "c7a06fa5be97e256008ac2da4cd02ac47ad098ea3f52e7749b132070948598be"


def test_the_names_of_the_events_are_the_storage_format() -> None:
    """Whoever renames one cannot read what was stored."""
    assert {name: kind.__struct_fields__ for name, kind in TYPES.items()} == {
        "dispute_opened": ("reason", "text", "version", "hash", "pause", "until", "pause_until"),
        "evidence_added": ("text", "versions"),
        "evidence_pack_built": ("version", "sha256", "format"),
        "dispute_withdrawn": (),
        "play_wished": (),
        "play_resumed": ("why",),
        "dispute_claimed": ("until",),
        "claim_released": ("until",),
        "claim_lapsed": ("until",),
        "ruling_given": (
            "kind",
            "scope",
            "reason",
            "until",
            "to_version",
            "winners",
            "scores",
            "seen",
            "seen_confirmed",
        ),
        "ruling_accepted": (),
        "appeal_lodged": ("text", "until"),
        "ruling_final": ("applied", "why", "game_version", "game_hash"),
        "dispute_lapsed": (),
    }


def test_a_log_goes_on_from_its_last_entry() -> None:
    """Number and hash follow."""
    given = court(*LONG)
    whole = next_entries("g", None, given.happened)
    begun = next_entries("g", None, given.happened[:2])
    assert [*begun, *next_entries("g", begun[-1], given.happened[2:])] == whole


LINES = lines_of(written())
FIRST, FIRST_HASH = LINES[0]
BROKEN = {
    "a letter": [(FIRST.replace(b"never", b"newer"), FIRST_HASH), *LINES[1:]],
    "a member": [(FIRST.replace(b'{"at"', b'{"aa":1,"at"'), FIRST_HASH), *LINES[1:]],
    "one left out": [LINES[0], *LINES[2:]],
    "the first left out": LINES[1:],
    "two swapped": [LINES[0], LINES[2], LINES[1], *LINES[3:]],
    "no JSON": [(b"nothing", FIRST_HASH)],
    "another hash": [(FIRST, "0" * 64)],
    "an event that there is not": [(FIRST.replace(b"dispute_opened", b"dispute_closed"), FIRST_HASH)],
}


@pytest.mark.parametrize("what", BROKEN)
def test_every_change_of_a_log_is_noticed(what: str) -> None:
    """A letter, a member, an entry left out or moved."""
    with pytest.raises(DisputeLogBroken):
        read_entries("g", BROKEN[what])


def test_the_log_of_another_game_is_none_of_this_one() -> None:
    """Every entry names its game."""
    with pytest.raises(DisputeLogBroken):
        read_entries("h", LINES)


def test_cases_are_opened_in_the_order_of_their_numbers() -> None:
    """An event of a case that was not opened fits no log, though its hash follows."""
    given = court("open", "claim")
    for wrong in (2, 0):
        happened = [given.happened[0], msgspec.structs.replace(given.happened[1], case=wrong)]
        with pytest.raises(DisputeLogBroken):
            read_entries("g", lines_of(next_entries("g", None, happened)))
    twice = [given.happened[0], given.happened[0]]
    with pytest.raises(DisputeLogBroken):
        read_entries("g", lines_of(next_entries("g", None, twice)))


def test_people_are_named_as_the_service_knows_them() -> None:
    """By seat or key, and by name."""
    by = [entry.written["by"] for entry in written()]
    assert by[:4] == [{"who": person.who, "name": person.name} for person in (ANN, ADA, ADA, BEN)]
