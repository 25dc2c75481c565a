"""Records that carry annotations: both verifiers check them, and say the same of genuine and of changed ones."""

import random
import re
from functools import cache

import pytest

from events.game.record import read_record, write_record
from events.log.disclosure import ALL, PUBLIC
from replay.annotations.entries import Author
from replay.verification.verify import verify_lines
from tests.replay.annotations.writing import Writer, set_id
from tests.replay.second_verifier.genuine import signed_game
from tests.support.mutations import mutation
from tests.support.second_verifier import SecondVerifier

CHANGES = 24


@cache
def annotated(viewer: int = ALL, seed: int = 23) -> list[bytes]:
    """The record of a game with two annotated sets."""
    genuine = signed_game("classic", seed)
    table = genuine.game.table
    hashes = {entry.version: entry.hash for entry in genuine.game.log}
    ann = Writer(set_id("a"), Author("seat", "Ann", seat=0), table.game, hashes)
    ben = Writer(set_id("b"), Author("file", "Ben"), table.game, hashes)
    ann.add("note", 12, comment="¡No! 🫘 <b>", later={"a b": [1, None]})
    ann.add("edit", 12, of=1, comment="Yes \x1b[2J", move="good")
    ann.add("publication", table.version)
    ben.add("note", 12, tags=["x"])
    ben.add("applause", table.version)
    lines = [entry.line for writer in (ann, ben) for entry in writer.written.entries]
    plain = genuine.record(viewer)
    header, forms = read_record(plain)
    return list(write_record(header, forms, genuine.attached, lines))


@pytest.mark.parametrize("viewer", [ALL, PUBLIC, 1])
def test_both_verify_it_and_what_it_carries(second_verifier: SecondVerifier, viewer: int) -> None:
    """In every scope, with all that its reader trusts."""
    trust = signed_game("classic").trust
    report = verify_lines(annotated(viewer), trust)

    assert report.ok, report.findings
    assert report.checks["annotations"] == 5
    assert report.trusted
    second = second_verifier.report(annotated(viewer), trust)
    assert second["findings"] == []
    assert (second["head"], second["trusted"]) == (report.head, True)


FORGERIES = [
    (1, rb'"comment":"', rb'"comment":"x', "annotations"),
    (1, rb'("comment":"[^"]*"),("later":[^"]*"a b":\[1,null\]\})', rb"\2,\1", "annotations"),
    (2, rb'"of":1', rb'"of":2', "annotations"),
    (4, rb'"set":"b', rb'"set":"c', "annotations"),
    (0, rb'"annotations":5', rb'"annotations":4', "record"),
    (0, rb'"annotations":5', rb'"annotations":6', "record"),
    (0, rb',"annotations":5', rb"", "record"),
]


@pytest.mark.parametrize(("place", "what", "by", "check"), FORGERIES, ids=range(len(FORGERIES)))
def test_what_was_changed_in_them_is_found_by_both(
    second_verifier: SecondVerifier, place: int, what: bytes, by: bytes, check: str
) -> None:
    """An entry, its set, its place, or how many there are."""
    record = list(annotated())
    record[place] = re.sub(what, by, record[place], count=1)
    assert record != annotated()

    first, second = verify_lines(record), second_verifier.report(record)

    assert [first.findings[0].check, second["findings"][0]["check"]] == [check, check]


def test_annotations_of_another_game_and_of_another_history_are_found(
    second_verifier: SecondVerifier,
) -> None:
    """Bound to another id, to another hash at a version, or to a version that the record does not have."""
    genuine = signed_game("classic")
    table = genuine.game.table
    hashes = {entry.version: entry.hash for entry in genuine.game.log}
    for writer, version in (
        (Writer(game="another", hashes=hashes), 12),
        (Writer(game=table.game, hashes={**hashes, 12: "0" * 64}), 12),
        (Writer(game=table.game, hashes={table.version + 1: "0" * 64}), table.version + 1),
    ):
        line = writer.add("note", version, comment="x").line
        header, forms = read_record(genuine.record(ALL))
        record = list(write_record(header, forms, genuine.attached, [line]))
        first, second = verify_lines(record), second_verifier.report(record)
        assert [first.findings[0].check, second["findings"][0]["check"]] == ["annotations"] * 2
        assert first.findings[0].version == second["findings"][0]["version"]


def test_every_random_change_is_found_by_both(second_verifier: SecondVerifier) -> None:
    """A bit, a byte, a line or a value, anywhere."""
    trust, chance = signed_game("classic").trust, random.Random(5)
    for _ in range(CHANGES):
        what, changed = mutation(annotated(), annotated(seed=24), chance)
        first = verify_lines(changed.splitlines(keepends=True), trust)
        second = second_verifier.report(changed, trust)
        assert not first.ok, what
        assert not second["ok"], what
        assert "cannot be processed" not in first.findings[0].reason, what
