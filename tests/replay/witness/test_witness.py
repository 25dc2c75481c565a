"""A witness as a process: what it answers to whom, and what it remembers when it was killed."""

import os
import socket
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from events.transparency.checkpoint import Checkpoint
from events.transparency.cosignature import cosignatures
from events.transparency.log_proof import encode_hashes
from events.transparency.merkle_tree import MerkleTree
from events.transparency.signed_note import parse_note, sign
from replay.witness.state import StateUnusable, WitnessState, hash_of
from replay.witness.witness import LONGEST_REQUEST, Witness
from tests.replay.commands.commands import run
from tests.support.servers import ROOT
from tests.support.signing import Signer
from tests.support.witness import SECONDS, RunningWitness, asking, grown


@pytest.fixture(name="log")
def a_log() -> Signer:
    """A log of seven entries."""
    return grown(Signer(), 7)


@pytest.fixture(name="witness")
def a_witness(tmp_path: Path) -> Iterator[RunningWitness]:
    """A witness of the log, and of another one."""
    with RunningWitness(tmp_path / "witness", Signer().key, Signer(2, "other.test/log").key) as running:
        yield running


def forged(log: Signer, size: int) -> str:
    """A checkpoint signed by the log of another tree of this size."""
    tree = MerkleTree()
    for each in range(size):
        tree.append(b"other %d" % each)
    return sign(Checkpoint(log.name, size, tree.root(size)).text(), log.name, log.private)


def test_a_witness_cosigns_what_grew(witness: RunningWitness, log: Signer) -> None:
    """From nothing, then with a proof, and the same size again: each time with the time of its clock."""
    before = int(time.time())
    for old in (0, 7, 12):
        status, line = witness.add(asking(log, old))

        assert status == 200
        note = parse_note(log.checkpoint() + line)
        (found,) = cosignatures(note, [witness.key])
        assert before <= found.at <= time.time()
        assert note.require([log.key]) == log.key
        grown(log, 5 if old == 0 else 0)


def test_whoever_has_lost_count_is_told_the_size(witness: RunningWitness, log: Signer) -> None:
    """With the content type that the protocol names."""
    assert witness.ask("POST", "/add-checkpoint", asking(log, 4).encode()) == (409, "text/x.tlog.size", "0\n")
    assert witness.add(asking(log, 0))[0] == 200
    grown(log, 1)
    for old in (0, 3, 8):
        assert witness.ask("POST", "/add-checkpoint", asking(log, old).encode())[::2] == (409, "7\n")


def test_every_refusal_has_its_status(witness: RunningWitness, log: Signer) -> None:
    """And none of them moves anything."""
    assert witness.add(asking(log, 0))[0] == 200
    stranger = grown(Signer(3, "stranger.test/log"), 2)
    assert witness.add(asking(stranger, 0))[0] == 404

    impostor = grown(Signer(9, log.name), 9)
    assert witness.add(asking(impostor, 7))[0] == 403
    grown(log, 2)
    signed = log.checkpoint()
    false = signed.replace(signed[-9:-3], "AAAAAA")
    assert witness.add(asking(log, 7, false))[0] == 403
    unsigned = parse_note(signed).text + "\n" + impostor.checkpoint().split("\n\n")[1]
    assert witness.add(asking(log, 7, unsigned))[0] == 403

    proof = encode_hashes(log.tree().consistency_proof(7, 9))
    assert witness.add(f"old 10\n\n{signed}")[0] == 400
    assert witness.add(f"old 7\n\n{signed}")[0] == 422
    assert witness.add(f"old 7\n{proof}{proof}\n{signed}")[0] == 422
    assert witness.add(f"old 7\n{proof}\n{forged(log, 9)}")[0] == 422
    assert witness.add(f"old 7\n\n{forged(log, 7)}")[0] == 422
    assert witness.add(f"old 7\n\n{forged(log, 6)}")[0] == 400
    assert witness.add(asking(log, 7))[0] == 200


def test_a_log_without_entries_has_one_root_and_needs_no_proof(witness: RunningWitness) -> None:
    """Both else are refused."""
    log = Signer()
    wrong = sign(Checkpoint(log.name, 0, bytes(32)).text(), log.name, log.private)
    assert witness.add(f"old 0\n\n{wrong}")[0] == 422
    assert witness.add(asking(log, 0))[0] == 200
    grown(log, 3)
    assert witness.add(f"old 0\n{encode_hashes([bytes(32)])}\n{log.checkpoint()}")[0] == 422
    assert witness.add(asking(log, 0))[0] == 200


@pytest.mark.parametrize(
    "body",
    [
        "",
        "old 0\n",
        "old 0\n\n",
        "old\n\n{}",
        "old 00\n\n{}",
        "old -1\n\n{}",
        "old 07\n\n{}",
        " old 0\n\n{}",
        "old 0\r\n\r\n{}",
        "old 9999999999999999\n\n{}",
        "old 0\nbeans\n\n{}",
        "old 0\nAAAA\n\n{}",
        "old 0\n" + encode_hashes([bytes(32)] * 64) + "\n{}",
        "old 0\n\nno checkpoint\n\n— a AAAAAAA=\n",
        "old 0\n\nno checkpoint",
        "old 0\n\n\ud800",
    ],
)
def test_what_is_no_request_is_refused(tmp_path: Path, log: Signer, body: str) -> None:
    """Whatever is wrong with it."""
    state = WitnessState(tmp_path / "witness")
    sent = body.replace("{}", log.checkpoint()).encode(errors="surrogatepass")

    assert Witness(state, [log.key], time.time).add_checkpoint(sent).status == 400
    assert state.last(log.name) is None
    state.close()


def test_a_killed_witness_has_forgotten_nothing(tmp_path: Path, log: Signer) -> None:
    """It goes on with the same key, and goes back neither to what it had seen before nor to another tree."""
    folder, seen = tmp_path / "witness", []
    for _ in range(4):
        running = RunningWitness(folder, log.key)
        seen.append(running.key)
        assert running.add(asking(log, 0 if len(seen) == 1 else len(log.heads) - 1))[0] == 200
        running.kill()
        grown(log, 1)

    with RunningWitness(folder, log.key) as running:
        assert set(seen) == {running.key}
        smaller = grown(Signer(), 9)
        assert running.add(asking(smaller, 7)) == (409, "10\n")
        assert running.add(f"old 10\n\n{smaller.checkpoint()}")[0] == 400
        assert running.add(f"old 10\n\n{forged(log, 10)}")[0] == 422
        assert running.add(f"old 0\n\n{forged(log, 12)}") == (409, "10\n")
        assert running.add(asking(log, 10))[0] == 200


def test_two_logs_are_kept_apart(witness: RunningWitness, log: Signer) -> None:
    """The size of one says nothing of the other; and whoever watches one of them gets its last checkpoint."""
    other = grown(Signer(2, "other.test/log"), 3)
    path = f"/{hash_of(other.name)}/checkpoint"
    assert witness.add(asking(log, 0))[0] == 200
    assert witness.ask("GET", path)[0] == 404
    assert witness.add(asking(other, 2)) == (409, "0\n")
    status, line = witness.add(asking(other, 0))
    assert status == 200

    assert witness.ask("GET", path)[::2] == (200, other.checkpoint() + line)
    assert witness.add(asking(other, 3, log.checkpoint()))[0] == 409
    assert witness.ask("GET", f"/{hash_of('nobody')}/checkpoint")[0] == 404


def test_signatures_of_others_are_not_handed_on(witness: RunningWitness, log: Signer) -> None:
    """What nobody has checked does not come out under the witness's name."""
    foreign = sign(parse_note(log.checkpoint()).text, "foreign.test", Signer(5).private).split("\n\n")[1]
    assert witness.add(asking(log, 0, log.checkpoint() + foreign))[0] == 200

    last = witness.ask("GET", f"/{hash_of(log.name)}/checkpoint")[2]

    assert [each.name for each in parse_note(last).signatures] == [log.name, witness.key.name]


def test_times_never_decrease(tmp_path: Path, log: Signer) -> None:
    """A witness whose clock was put back says what it said last."""
    clock = [2000.5]
    state = WitnessState(tmp_path / "witness")
    witness = Witness(state, [log.key], lambda: clock[0])
    assert witness.add_checkpoint(asking(log, 0).encode()).status == 200
    clock[0] = 1000.0
    grown(log, 1)

    line = witness.add_checkpoint(asking(log, 7).encode()).body

    assert cosignatures(parse_note(log.checkpoint() + line), [state.key])[0].at == 2000
    state.close()


def test_nothing_is_said_that_is_not_on_the_disk(
    tmp_path: Path, log: Signer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk costs the cosignature, not the witness's memory."""
    state = WitnessState(tmp_path / "witness")
    witness = Witness(state, [log.key], time.time)
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(OSError(28, "No space left on device")))
        with pytest.raises(StateUnusable, match="No space"):
            witness.add_checkpoint(asking(log, 0).encode())
    assert state.last(log.name) is None
    assert witness.add_checkpoint(asking(log, 0).encode()).status == 200
    assert sorted(path.name for path in (tmp_path / "witness").iterdir()) == sorted(
        ["lock", "witness.key", f"{hash_of(log.name)}.log"]
    )
    state.close()


def test_a_folder_that_was_meddled_with_is_not_used(tmp_path: Path, log: Signer) -> None:
    """What was co-signed last is signed by the witness itself; where that is not so, it co-signs nothing."""
    folder = tmp_path / "witness"
    with RunningWitness(folder, log.key) as running:
        assert running.add(asking(log, 0))[0] == 200
    kept = folder / f"{hash_of(log.name)}.log"
    kept.write_text(kept.read_text(encoding="utf-8").replace("\n7\n", "\n6\n"), encoding="utf-8")
    with RunningWitness(folder, log.key) as running:
        assert running.add(asking(grown(log, 1), 7))[0] == 500


def test_the_key_is_its_owners_alone(tmp_path: Path, log: Signer) -> None:
    """It is made at the first start, refused where others can read it, and keeps its name."""
    folder = tmp_path / "witness"
    shown = run("witness", folder, "--name", "witness.test/w1", "--key-only")
    assert shown.stdout.startswith("witness.test/w1+")
    key = folder / "witness.key"
    assert stat.S_IMODE(key.stat().st_mode) == 0o600

    other = run("witness", folder, "--name", "witness.test/w2", "--log", str(log.key))
    assert (other.returncode, "keeps its name" in other.stderr) == (2, True)
    key.chmod(0o644)
    open_to_all = run("witness", folder, "--log", str(log.key))
    assert (open_to_all.returncode, "read by others" in open_to_all.stderr) == (2, True)
    key.chmod(0o600)
    key.write_text("beans\n", encoding="utf-8")
    assert run("witness", folder, "--log", str(log.key)).returncode == 2


def test_wrong_use_is_said(tmp_path: Path, log: Signer) -> None:
    """No log, a key that is none, and a folder that another witness works with."""
    folder = tmp_path / "witness"
    assert run("witness", folder).returncode == 2
    assert run("witness", folder, "--log", "beans+1+2").returncode == 2
    with RunningWitness(folder, log.key) as running:
        second = run("witness", folder, "--log", str(log.key))
        assert (second.returncode, "another witness" in second.stderr) == (2, True)
        port = urlsplit(running.url).port
        taken = run("witness", tmp_path / "other", "--log", str(log.key), "--port", str(port))
        assert (taken.returncode, "Nobody can listen" in taken.stderr) == (2, True)


def test_it_says_what_it_is_and_ends_when_told_to(witness: RunningWitness, log: Signer) -> None:
    """Also while somebody is connected."""
    place = urlsplit(witness.url)
    with socket.create_connection((place.hostname, place.port), SECONDS):
        assert witness.said[0].split() == ["witness", str(witness.key)]
        assert witness.said[1].split() == ["log", str(log.key)]
        assert witness.url.startswith("http://127.0.0.1:")
        assert witness.stop() == 0


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"BEANS\r\n\r\n", b"400"),
        (b"GET /add-checkpoint HTTP/1.1\r\n\r\n", b"405"),
        (b"GET / HTTP/1.1\r\n\r\n", b"404"),
        (b"POST /add-checkpoint HTTP/1.1\r\n\r\n", b"411"),
        (b"POST /add-checkpoint HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", b"411"),
        (b"POST /add-checkpoint HTTP/1.1\r\nContent-Length: beans\r\n\r\n", b"400"),
        (b"POST /add-checkpoint HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n12", b"400"),
        (b"POST /add-checkpoint HTTP/1.1\r\nContent-Length: %d\r\n\r\n" % (LONGEST_REQUEST + 1), b"413"),
        (b"POST /add-checkpoint HTTP/1.1\r\nX: " + b"x" * 20_000 + b"\r\n\r\n", b"431"),
        (b"POST /add-checkpoint HTTP/1.1\r\nno field\r\n\r\n", b"400"),
    ],
)
def test_what_is_no_http_is_answered_too(witness: RunningWitness, sent: bytes, status: bytes) -> None:
    """Within its bounds."""
    place = urlsplit(witness.url)
    with socket.create_connection((place.hostname, place.port), SECONDS) as client:
        client.sendall(sent)
        assert client.recv(100).split(b" ")[1] == status


def test_a_connection_may_ask_again(witness: RunningWitness, log: Signer) -> None:
    """So that a log need not connect for each checkpoint."""
    place = urlsplit(witness.url)
    with socket.create_connection((place.hostname, place.port), SECONDS) as client:
        for old, status in ((0, b"200"), (7, b"200"), (3, b"409")):
            body = asking(log, old).encode()
            head = b"POST /add-checkpoint HTTP/1.1\r\nContent-Length: %d\r\n\r\n" % len(body)
            client.sendall(head + body)
            assert client.recv(10_000).split(b" ")[1] == status


def test_many_at_once_get_one_order(witness: RunningWitness, log: Signer) -> None:
    """Of two checkpoints of one size only one is co-signed, whoever comes first."""
    answers: list[tuple[int, str]] = []
    bodies = [asking(log, 0), f"old 0\n\n{forged(log, 7)}"] * 10
    threads = [
        threading.Thread(target=lambda body=body: answers.append(witness.add(body))) for body in bodies
    ]
    for each in threads:
        each.start()
    for each in threads:
        each.join(SECONDS)

    assert sorted(status for status, _ in answers) == [200] + [409] * 19


def test_slow_and_many_clients_are_cut_off(tmp_path: Path, log: Signer) -> None:
    """A server with bounds that can be waited for: whoever says nothing makes place."""
    program = (
        "import asyncio, sys, time\n"
        "from pathlib import Path\n"
        "from events.transparency.signed_note import VerifierKey\n"
        "from replay.witness.server import WitnessServer, run\n"
        "from replay.witness.state import WitnessState\n"
        "from replay.witness.witness import Witness\n"
        "witness = Witness(WitnessState(Path(sys.argv[1])), [VerifierKey.parse(sys.argv[2])], time.time)\n"
        "server = WitnessServer(witness, most_connections=2, request_seconds=0.5, idle_seconds=1.0)\n"
        "say = lambda host, port: print(port, flush=True)\n"
        "asyncio.run(run(server, '127.0.0.1', 0, say, asyncio.sleep(60)))\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, tmp_path / "witness", str(log.key)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        place = "127.0.0.1", int(process.stdout.readline())
        with (
            socket.create_connection(place, SECONDS) as slow,
            socket.create_connection(place, SECONDS) as idle,
        ):
            slow.sendall(b"POST /add-ch")
            time.sleep(0.1)
            with socket.create_connection(place, SECONDS) as third:
                assert third.recv(100).split(b" ")[1] == b"503"
            assert slow.recv(100) == b""
            assert idle.recv(100) == b""
            with socket.create_connection(place, SECONDS) as again:
                again.sendall(b"GET / HTTP/1.1\r\n\r\n")
                assert again.recv(100).split(b" ")[1] == b"404"
        process.kill()
