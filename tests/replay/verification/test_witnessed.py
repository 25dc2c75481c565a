"""When a game was played, by the clocks of witnesses: not later than, not earlier than, and what neither says."""

import base64
import hashlib
import json
import random
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events import commands as c
from events.game.record import Attachment
from events.game.table import new_table
from events.log.disclosure import ALL, PUBLIC, viewer_name
from events.log.recorded import RecordedEvent
from events.rules.catalogues.catalogue import shipped_catalogue
from events.rules.move import HOST
from events.rules.systems.registry import system_named
from events.transparency.cosignature import MOST_AHEAD, WitnessKey, cosign, witness_key
from events.transparency.game_head import GameHead
from events.transparency.log_proof import write_inclusion_proof
from events.transparency.signed_note import parse_note
from replay.records.report import Report, Witnessed
from replay.verification.attestations import Trust
from replay.verification.verify import verify_lines
from replay.verification.witnesses import CLOCKS_DIFFER, EarlierCheckpoint
from tests.replay.commands.commands import run
from tests.support.recorded_games import BEGINNING, RecordedGame, later, play_on
from tests.support.signing import Signer

OTHER = GameHead("another", 7, "ab" * 32, "finished")
EARLY = BEGINNING // 1000 - 100
"""A second before the games begin."""


class Clock:
    """A witness that co-signs what it is told to, at the time that it is told."""

    def __init__(self, number: int) -> None:
        """The same number gives the same key."""
        self.name = f"witness.test/w{number}"
        self.private = Ed25519PrivateKey.from_private_bytes((1000 + number).to_bytes(32, "big"))

    @property
    def key(self) -> WitnessKey:
        """Its public key."""
        return witness_key(self.name, self.private)

    def line(self, checkpoint: str, at: int) -> str:
        """Its line on a checkpoint."""
        return cosign(parse_note(checkpoint).text, self.name, self.private, at)


ONE, TWO, THREE = Clock(1), Clock(2), Clock(3)


def filled(games: int) -> Signer:
    """A log of some games."""
    signer = Signer()
    for _ in range(games):
        signer.log(OTHER)
    return signer


BEFORE = filled(2).checkpoint() + ONE.line(filled(2).checkpoint(), EARLY)
"""A checkpoint that a player has from before the game."""
DIGEST = hashlib.sha256(BEFORE.encode()).hexdigest()


@cache
def played(seed: str = f"fieldbook:{DIGEST}") -> RecordedGame:
    """A game in which a seat has brought this seed."""
    chance, log = random.Random(7), list[RecordedEvent]()
    catalogue = shipped_catalogue(system_named("classic").catalogue)
    table, created = new_table(
        "game-7", "classic", 3, options={}, catalogue=catalogue, secret="5e" * 32, at=BEGINNING
    )
    log += created
    for seat, name in enumerate(("Ann", "Ben", "Cleo")):
        command = c.TakeSeat(seat, name, "human", seed=seed if seat == 1 else "")
        table, entries = table.submit(HOST, command, later(log, chance))
        log += entries
    return RecordedGame(play_on(table, log, chance, 12, None), tuple(log))


def ended() -> int:
    """A second by which the game is over."""
    return played().log[-1].at // 1000 + 60


def record(
    *cosigned: tuple[Clock, int], viewer: int = ALL, game: RecordedGame | None = None, before: int = 2
) -> list[bytes]:
    """The record of a game that was logged behind others, with a checkpoint that was co-signed."""
    game = played() if game is None else game
    signer = filled(before)
    index = signer.log(game.head)
    key, head, _ = signer.attachments(game.head, index)
    checkpoint = signer.checkpoint()
    checkpoint += "".join(clock.line(checkpoint, at) for clock, at in cosigned)
    tree = signer.tree()
    proof = write_inclusion_proof(index, tree.inclusion_proof(index, tree.size), checkpoint)
    return game.record(viewer, None, [key, head, Attachment("inclusion", proof)])


def trusting(*clocks: Clock, earlier: tuple[str, ...] = ()) -> Trust:
    """A reader who trusts the service's key and these witnesses."""
    return Trust(
        (Signer().key,),
        witnesses=tuple(each.key for each in clocks),
        earlier=tuple(EarlierCheckpoint.parse(each) for each in earlier),
    )


def reason(report: Report) -> str:
    """Why the check of the log does not hold."""
    assert not report.ok
    assert report.findings[0].check == "log"
    return report.findings[0].reason


@pytest.mark.parametrize("viewer", [ALL, PUBLIC, 2], ids=viewer_name)
def test_a_cosigned_record_is_not_later_than_the_cosignature(viewer: int) -> None:
    """In every scope; of several witnesses the earliest counts, and each is named. Others count for nothing."""
    at = ended()
    lines = record((ONE, at + 50), (TWO, at), (THREE, at - 1), viewer=viewer)

    report = verify_lines(lines, trusting(ONE, TWO))

    assert report.ok, report.findings
    assert report.bounds.not_later == 1000 * at
    assert report.bounds.witnessed == (
        Witnessed(str(TWO.key), 3, 1000 * at),
        Witnessed(str(ONE.key), 3, 1000 * (at + 50)),
    )
    assert (report.bounds.not_earlier, report.bounds.logged_after) == (0, 0)
    assert "witness" not in [each.about for each in report.unknown]


def test_without_a_witness_only_the_services_clock_says_when() -> None:
    """And that is said; the record verifies as before, whatever others have co-signed."""
    report = verify_lines(record((ONE, ended())), trusting())

    assert report.ok
    assert report.bounds.not_later == 0
    assert report.unknown[-1].about == "witness"


def test_a_record_that_no_trusted_witness_has_seen_is_refused() -> None:
    """One who asks for a witness gets no record without."""
    assert "no witness of yours" in reason(verify_lines(record(), trusting(ONE)))
    assert "no witness of yours" in reason(verify_lines(record((TWO, ended())), trusting(ONE)))
    bare = played().record(attachments=filled(1).attachments(played().head))
    assert "no proof" in reason(verify_lines(bare, trusting(ONE)))


def test_a_forged_time_or_the_cosignature_of_another_tree_is_refused() -> None:
    """What is signed is this checkpoint at this time."""
    signer = filled(2)
    elsewhere = ONE.line(signer.checkpoint(), ended())
    index = signer.log(played().head)
    tree, key, head = signer.tree(), *signer.attachments(played().head)
    _, name, value = ONE.line(signer.checkpoint(), ended()).split()
    changed = bytearray(base64.b64decode(value))
    changed[4:12] = (ended() - 3600).to_bytes(8, "big")
    for wrong in (elsewhere, f"— {name} {base64.b64encode(changed).decode()}\n"):
        proof = write_inclusion_proof(
            index, tree.inclusion_proof(index, tree.size), signer.checkpoint() + wrong
        )
        lines = played().record(attachments=[key, head, Attachment("inclusion", proof)])
        assert "not that of witness.test/w1" in reason(verify_lines(lines, trusting(ONE)))


def test_times_after_the_cosignature_cannot_be() -> None:
    """A host that dates entries later than a witness has seen them is caught, beyond what clocks may differ."""
    last = played().log[-1].at
    allowed = -(-(last - CLOCKS_DIFFER) // 1000)

    assert verify_lines(record((ONE, allowed)), trusting(ONE)).ok
    assert "the record's times go to" in reason(verify_lines(record((ONE, allowed - 1)), trusting(ONE)))


def test_a_seed_made_of_a_cosigned_checkpoint_binds_the_game_to_its_time() -> None:
    """From the entry of that seat on the game is not earlier; the log had not the game by then either."""
    report = verify_lines(record((ONE, ended())), trusting(ONE, earlier=(BEFORE,)))

    assert report.ok, report.findings
    assert report.bounds.not_earlier == 1000 * EARLY
    assert played().log[report.bounds.not_earlier_from - 1].type == "seat_taken"
    assert report.bounds.not_earlier_from == 3
    assert report.bounds.logged_after == 1000 * EARLY


def test_a_game_logged_after_a_cosigned_checkpoint_says_nothing_of_when_it_was_played() -> None:
    """Without the seed only that is known, and only from one witness that has co-signed both."""
    game = played("beans")
    report = verify_lines(record((ONE, ended()), game=game), trusting(ONE, earlier=(BEFORE,)))
    assert report.ok, report.findings
    assert (report.bounds.logged_after, report.bounds.not_earlier) == (1000 * EARLY, 0)

    lines = record((TWO, ended()), game=game)
    assert "no witness has co-signed both" in reason(
        verify_lines(lines, trusting(ONE, TWO, earlier=(BEFORE,)))
    )


def test_an_earlier_checkpoint_that_is_none_is_refused() -> None:
    """One that holds the game, that no witness has co-signed, of another log, or changed."""
    signer = filled(2)
    signer.log(played("beans").head)
    holding = signer.checkpoint() + ONE.line(signer.checkpoint(), ended())
    lines = record((ONE, ended()), game=played("beans"))
    assert "is in the log of the earlier" in reason(verify_lines(lines, trusting(ONE, earlier=(holding,))))

    plain = filled(2).checkpoint()
    assert "no witness of yours" in reason(verify_lines(lines, trusting(ONE, earlier=(plain,))))
    elsewhere = Signer(4, "elsewhere.test").checkpoint()
    elsewhere += ONE.line(elsewhere, EARLY)
    assert "of the log elsewhere.test" in reason(verify_lines(lines, trusting(ONE, earlier=(elsewhere,))))
    changed = BEFORE.replace("\n2\n", "\n1\n")
    assert "not that of" in reason(verify_lines(lines, trusting(ONE, earlier=(changed,))))


def test_an_entry_older_than_what_it_holds_cannot_be() -> None:
    """A host that dates a game back beyond the checkpoint that a seed is made of is caught."""
    checkpoint = filled(2).checkpoint()
    future = checkpoint + ONE.line(checkpoint, (BEGINNING + CLOCKS_DIFFER) // 1000 + 3600)
    game = played(hashlib.sha256(future.encode()).hexdigest())

    report = verify_lines(record((ONE, ended() + 9000), game=game), trusting(ONE, earlier=(future,)))

    assert "the entry says that it is of" in reason(report)
    assert report.findings[0].version == 3


def test_a_cosignature_that_is_ahead_of_the_readers_clock_is_refused() -> None:
    """By more than clocks differ, and the witness is named; on the log with the game as on an earlier checkpoint."""
    at = ended()
    for clock, refused in ((at - MOST_AHEAD, False), (at - MOST_AHEAD - 1, True), (at + 9_000, False)):
        report = verify_lines(record((ONE, at)), replace(trusting(ONE), now=1000 * clock))
        assert report.ok is not refused
        if refused:
            assert f"witness.test/w1 says that it co-signed at {at} seconds" in reason(report)
            assert f"{MOST_AHEAD + 1} seconds after now" in reason(report)

    checkpoint = filled(2).checkpoint()
    future = checkpoint + TWO.line(checkpoint, at + 9_000)
    lines = record((ONE, at), game=played("beans"))
    trust = replace(trusting(ONE, TWO, earlier=(future,)), now=1000 * at)
    assert "witness.test/w2 says that it co-signed at" in reason(verify_lines(lines, trust))


def test_the_command_holds_witnesses_against_the_clock_of_its_machine(tmp_path: Path) -> None:
    """Whoever co-signs in the year 2100 is found out, by name."""
    game = tmp_path / "game.ndjson"
    game.write_bytes(b"".join(record((ONE, 4_102_444_800))))

    said = run("verify", game, "--witness", str(ONE.key))

    assert said.returncode == 1
    assert "the witness witness.test/w1 says that it co-signed at 4102444800 seconds" in said.stdout


def test_the_command_says_when(tmp_path: Path) -> None:
    """As text and as JSON; a key as text or in a file; what cannot be read is wrong use."""
    (tmp_path / "game.ndjson").write_bytes(b"".join(record((ONE, ended()))))
    (tmp_path / "earlier").write_text(BEFORE, encoding="utf-8")
    (tmp_path / "keys").write_text(f"{TWO.key}\n{ONE.key}\n", encoding="utf-8")
    game = tmp_path / "game.ndjson"

    for key in (str(ONE.key), str(tmp_path / "keys")):
        said = run("verify", game, "--witness", key, "--earlier", tmp_path / "earlier")
        assert said.returncode == 0, said.stdout + said.stderr
        assert "\nnot later     than 2026-01-01 " in said.stdout
        assert "witness.test/w1 has co-signed the log of 3 entries" in said.stdout
        assert (
            "\nnot earlier   than 2025-12-31 23:58:20 UTC: from version 3 on, by that seed\n" in said.stdout
        )
        assert (
            "\nlogged        not earlier than 2025-12-31 23:58:20 UTC; it may have been played before\n"
            in said.stdout
        )
        assert "service's log, which a witness of yours has co-signed\n" in said.stdout
    found = json.loads(run("verify", game, "--witness", str(ONE.key), "--json").stdout)
    assert found["bounds"]["not_later"] == 1000 * ended()
    assert run("verify", game, "--witness", str(TWO.key)).returncode == 1
    for wrong in (
        ("--witness", str(Signer().key)),
        ("--witness", "missing"),
        ("--earlier", tmp_path / "earlier"),
    ):
        assert run("verify", game, *wrong).returncode == 2
