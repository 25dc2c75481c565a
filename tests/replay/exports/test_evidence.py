"""The evidence pack: what it holds is what the record says, and whoever has the record gets the same bytes."""

import json
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from events.chain.canonical import canonical, sha256_hex
from events.chain.hash_chain import link
from events.commands import Plant
from events.game.folding import Folding
from events.game.record import read_record
from events.log.codec import decode_event
from events.log.disclosure import ALL, PUBLIC
from events.rules.systems.registry import BY_KEY
from events.rules.table.player_view import player_view
from events.rules.table.seen import find_seen
from replay.command_line import replay
from replay.exports.evidence.builder import NotWhole, build_pack, rebuild_pack
from replay.exports.evidence.case import Dispute
from replay.exports.evidence.markdown import render_markdown
from replay.exports.evidence.pack import EvidencePack, pack_bytes, pack_hash, read_pack
from replay.exports.evidence.rewind_targets import can_go_back_to
from replay.exports.evidence.text import render_text
from replay.records.hidden import parse_viewer
from replay.timeline.timeline import Timeline, read_timeline
from tests.replay.commentary.told import record_of
from tests.replay.exports.packs import GAME, GOLDEN, HEAD, TRADE, beginning, golden_pack, running
from tests.replay.verification.forging import parsed, written
from tests.support.clocked_games import ClockedGame
from tests.support.depth import depth
from tests.support.disputed_games import DisputedGame, disputed_game
from tests.support.recorded_games import RecordedGame


def timeline_of(game: DisputedGame) -> Timeline:
    """The whole game as a timeline that shows everything."""
    return read_timeline(*read_record(iter(game.lines())), ALL)


# --- every system ------------------------------------------------------------------------------------------


@pytest.mark.deep
@pytest.mark.parametrize("system", BY_KEY)
def test_a_pack_about_any_version_of_a_disputed_game_says_what_its_record_says(system: str) -> None:
    """Its tables are the timeline's, its beginning verifies, and its bytes can be read back."""
    timeline = timeline_of(disputed_game("evidence", system, BY_KEY[system].players[0]))

    for version in range(1, timeline.last + 1, depth(97, 31)):
        pack = build_pack(timeline, Dispute(version=version))
        content = pack_bytes(pack)

        assert read_pack(content) == pack
        assert pack_bytes(read_pack(content)) == content == canonical(msgspec.to_builtins(pack))
        assert (pack.verdict.ok, pack.verdict.findings) == (True, ())
        assert pack.verdict.head == timeline.at(pack.verdict.through).form.hash
        assert pack.perspectives[0].viewer == "public"
        for each in pack.perspectives:
            seen = timeline.seen_by(parse_viewer(each.viewer))
            assert each.after.table == as_json(player_view(seen.at(version).state, seen.viewer))
            if each.before is not None:
                assert each.before.table == as_json(player_view(seen.before(version), seen.viewer))
        assert version in [each.version for each in pack.around]
        assert max(map(len, render_text(pack).splitlines())) <= 80


def as_json(view: object) -> object:
    """A view as it is once it was written down."""
    return json.loads(canonical(view))


@pytest.mark.parametrize("system", BY_KEY)
def test_a_game_can_go_back_to_exactly_the_versions_that_folding_its_log_finds(system: str) -> None:
    """A pack looks at no more than it must; what it says of ways back is what the rules would say."""
    game = disputed_game("ways back", system, BY_KEY[system].players[0])
    header, forms = read_record(iter(game.lines()))
    ends = [entry.version - 1 for entry in game.log if entry.command and entry.actor != "dealer"]
    head = next(version for version in ends if version > game.rewindings[-1] + 20)
    timeline = beginning(header, tuple(forms), head)
    folding = Folding()
    for entry in game.log[:head]:
        folding.follow(decode_event(entry), begins=bool(entry.command))

    assert timeline.broken is None
    assert timeline.at(head).state.status == "running"
    for version in range(1, head + 1):
        assert can_go_back_to(timeline, version) == (folding.earlier(version) is not None), version


def test_the_warning_of_a_pack_is_that_of_the_rules() -> None:
    """The version before the disputed command is among the ways back, with what has been seen since."""
    timeline = running()
    now = timeline.at(timeline.last).state

    ways = {each.version: each for each in golden_pack().ways_back}

    assert ways[TRADE - 1].possible
    assert not ways[TRADE].possible
    for version, way in ways.items():
        assert way.seen == find_seen(timeline.at(version).state, now)


# --- bytes and hash ----------------------------------------------------------------------------------------


def test_the_same_input_gives_the_same_bytes() -> None:
    """A pack that is built again from the record is the same to the last byte, also once the game has finished."""
    content = pack_bytes(golden_pack())
    whole = read_timeline(*record_of(GAME), ALL)

    assert whole.last > HEAD
    for timeline in (running(), whole):
        assert pack_bytes(rebuild_pack(timeline, read_pack(content))) == content
    assert pack_hash(content) == sha256_hex(content)


def test_a_pack_of_a_later_format_is_not_compared(tmp_path: Path) -> None:
    """Its words are not known here, so the command reports wrong use and no finding."""
    file = tmp_path / "pack.json"
    file.write_bytes(pack_bytes(msgspec.structs.replace(golden_pack(), format="fieldbook-evidence/9")))

    done = CliRunner().invoke(replay, ["evidence", str(GAME), "--check", str(file)])

    assert done.exit_code == 2
    assert "fieldbook-evidence/9; fieldbook-evidence/1 can be read" in done.output


def test_its_hash_changes_with_every_byte() -> None:
    """Whatever byte of a pack is another one, its hash is."""
    content = pack_bytes(golden_pack())

    hashes = {
        pack_hash(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        for place in range(0, len(content), 97)
    }

    assert pack_hash(content) not in hashes
    assert len(hashes) == len(range(0, len(content), 97))


def test_the_proof_of_the_entry_can_be_computed_again() -> None:
    """The chain hash is over the hash before and the public form, which shows no hidden card."""
    proof = golden_pack().proof

    assert proof is not None
    assert link(proof.previous, proof.public) == proof.hash == golden_pack().dispute.hash
    assert set(proof.public["data"]["partner_hand"][0]) == {"commitment"}


# --- what it says ------------------------------------------------------------------------------------------


def test_a_pack_reads_as_the_golden_one() -> None:
    """One pack, with everything that there can be in it, is kept as it is read."""
    assert render_markdown(golden_pack()) == GOLDEN.read_text(encoding="utf-8")


def test_time_used_is_that_between_commands() -> None:
    """What a seat used is the time since the command before, whoever sent that."""
    pack = golden_pack()
    accepted = next(each for each in pack.arrivals if each.version == TRADE)
    commands = {each.version: each.at for each in pack.around if each.begins}

    assert accepted.after == commands[TRADE] - commands[TRADE - 1]
    ben = next(each for each in pack.time_used if each.seat == 1)
    assert ben.milliseconds == sum(each.after for each in pack.arrivals if each.actor == "seat:1")
    assert ben.longest == max(each.after for each in pack.arrivals if each.actor == "seat:1")


def test_a_pack_about_a_game_with_a_clock_tells_whose_time_ran() -> None:
    """Until when, and how much was left when the command came; no other pack says a word of it."""
    game = ClockedGame(1, "classic", 3)
    game.at += 61_500
    game.send(game.table.state.active, Plant(0))
    version = game.log[-1].version
    record = RecordedGame(game.table, tuple(game.log)).record()
    pack = build_pack(read_timeline(*read_record(iter(record)), ALL), Dispute(version=version))
    assert pack.time is not None
    assert [each.seat for each in pack.time.running] == [game.table.state.active]
    text = render_text(pack)
    assert "What the clock says" in text
    assert "0.500 s" in text
    assert read_pack(pack_bytes(pack)) == pack
    assert b'"time":' not in pack_bytes(golden_pack())


def test_a_log_that_breaks_before_the_disputed_version_is_said_to() -> None:
    """The pack shows no table then, and the verdict says where the log breaks."""
    lines = parsed(GAME.read_bytes().splitlines(keepends=True))
    lines[20]["entry"]["at"] += 1
    pack = build_pack(
        read_timeline(*read_record(iter(written(lines))), ALL), Dispute(version=TRADE, reason="clock")
    )

    assert (pack.disputed, pack.proof, pack.perspectives) == (None, None, ())
    assert not pack.verdict.ok
    assert [each.version for each in pack.verdict.findings] == [20]
    assert "DO NOT VERIFY" in render_text(pack)


def test_only_a_whole_record_gives_a_pack() -> None:
    """A record that hides something, and a version that is not there, are refused with a sentence."""
    public = GAME.with_name("five-players.public.ndjson")
    with pytest.raises(NotWhole, match="scope all"):
        build_pack(read_timeline(*record_of(public), PUBLIC), Dispute(version=TRADE))
    with pytest.raises(NotWhole, match="no version 9999"):
        build_pack(running(), Dispute(version=9999))


# --- the command -------------------------------------------------------------------------------------------


def run(*arguments: str) -> tuple[int, str]:
    """What the command says, and its status."""
    done = CliRunner().invoke(replay, ["evidence", *arguments])
    return done.exit_code, done.output


@pytest.mark.parametrize(
    ("form", "expected"), [("text", "="), ("markdown", "# Evidence"), ("html", "<!doctype html>")]
)
def test_the_command_writes_a_pack(form: str, expected: str) -> None:
    """Whoever has the record gets it in every form."""
    status, output = run(
        str(GAME), "--version", "34", "--reason", "clock", "--text", "Late.", "--format", form
    )

    assert status == 0
    assert expected in output
    assert "Late." in output


def test_a_pack_of_somebody_else_can_be_checked(tmp_path: Path) -> None:
    """The bytes are compared with those that the record gives; any change is a finding."""
    genuine, forged = tmp_path / "pack.json", tmp_path / "forged.json"
    content = pack_bytes(golden_pack())
    genuine.write_bytes(content)
    assert b"Ben ended the trading" in content
    forged.write_bytes(content.replace(b"Ben ended the trading", b"Ann ended the trading"))

    assert run(str(GAME), "--check", str(genuine))[0] == 0
    assert pack_hash(content) in run(str(GAME), "--check", str(genuine))[1]
    assert run(str(GAME), "--check", str(forged))[0] == 1


def test_as_json_it_is_what_its_hash_is_over() -> None:
    """The output of the command is the file to hash: not a byte more."""
    done = CliRunner().invoke(replay, ["evidence", str(GAME), "--version", "34", "--format", "json"])
    pack: EvidencePack = read_pack(done.stdout_bytes)

    assert pack_bytes(pack) == done.stdout_bytes


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--version", "9999"),
        ("--version", "0"),
        ("--version", "3", "--check", str(GAME)),
        ("--check", str(GAME)),
    ],
)
def test_wrong_use_is_said(arguments: tuple[str, ...]) -> None:
    """Status 2, and a sentence."""
    status, output = run(str(GAME), *arguments)

    assert status == 2
    assert "Error: " in output
