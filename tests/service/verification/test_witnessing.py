"""Having the log witnessed: each checkpoint goes to each witness, what it says is served, and nobody waits for it."""

import time
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from prometheus_client import generate_latest

from events.transparency.cosignature import MOST_AHEAD, cosign, cosignatures, witness_key
from events.transparency.game_head import GameHead
from events.transparency.log_proof import parse_inclusion_proof
from events.transparency.signed_note import parse_note
from replay.verification.attestations import Trust
from replay.verification.verify import verify_lines
from service.backup.store import kept_keys
from service.operations.readiness import Readiness
from service.operations.store_metrics import StoreMetrics
from service.platform.configuration import WITNESSES, BadSetting
from service.platform.metrics import Metrics
from service.platform.setting_kinds import MOST_WITNESSES, WitnessAddress
from service.storage.heartbeats import add_count
from service.verification.transparency_log import TransparencyLog
from service.verification.witness_client import NotAnswered
from service.verification.witnessing import COUNTS, LONGEST_PAUSE, Witnessing
from tests.service.in_process import InProcess
from tests.support.servers import eventually
from tests.support.witness import Witness

PRIVATE = Ed25519PrivateKey.from_private_bytes(bytes(31) + b"\x07")
KEY = str(witness_key("witness.test/w9", PRIVATE))


class Here:
    """Witnesses in this process, of the log of an API, and the service that has it witnessed."""

    def __init__(self, api: InProcess, *names: str) -> None:
        """Begin with witnesses of these names."""
        self.store = api.store
        self.log = TransparencyLog(api.store, api.signing_keys)
        self.clock = 5_000.0
        self.away: set[str] = set()
        self.attempts: list[str] = []
        self.asked: list[tuple[str, int]] = []
        key = api.signing_keys.current
        self.witnesses = {name: Witness(f"{name}.test", key, lambda: self.clock) for name in names}
        self.addresses = [
            WitnessAddress(each.key, f"http://{name}.test") for name, each in self.witnesses.items()
        ]
        self.witnessing = Witnessing(self.log, self.addresses, post=self.post)

    def post(self, url: str, body: bytes) -> tuple[int, bytes]:
        """Ask the witness at an address."""
        name = url.removeprefix("http://").partition(".")[0]
        self.attempts.append(name)
        if name in self.away:
            raise NotAnswered("it is away")
        status, said, _ = self.witnesses[name].add_checkpoint(body)
        self.asked.append((name, status))
        return status, said

    def fill(self, games: int) -> None:
        """Log heads of games that are not there."""
        first = self.log.size()
        for number in range(first, first + games):
            self.log.log(GameHead(f"other-{number}", 9, f"{number:064x}", "finished"))

    def look(self, now: float) -> None:
        """What the timer does at this moment (seconds), until it is done."""
        self.witnessing.look(int(1000 * now))
        eventually(lambda: not self.witnessing.is_busy)


@pytest.fixture(name="here")
def witnesses_in_this_process(api: InProcess) -> Here:
    """Two of them."""
    return Here(api, "one", "two")


def times(note: str, here: Here) -> list[tuple[str, int]]:
    """Who has co-signed a checkpoint, and when."""
    keys = [each.key for each in here.witnesses.values()]
    return [(each.key.name, each.at) for each in cosignatures(parse_note(note), keys)]


def test_a_checkpoint_is_served_with_what_witnesses_say(api: InProcess, here: Here) -> None:
    """Of each size that was co-signed, under every address that serves it; its text and our signature stay."""
    here.fill(3)
    plain = api.get("/v1/log")["checkpoint"]
    here.look(0)
    here.fill(2)
    here.clock = 6_000.0
    here.look(10)

    assert sorted(here.asked) == [("one", 200), ("one", 200), ("two", 200), ("two", 200)]
    served = api.call("GET", "/v1/log/checkpoint?size=3").body.decode()
    assert served.startswith(plain)
    assert times(served, here) == [("one.test", 5000), ("two.test", 5000)]
    assert times(api.get("/v1/log")["checkpoint"], here) == [("one.test", 6000), ("two.test", 6000)]
    assert times(api.call("GET", "/v1/log/checkpoint?size=4").body.decode(), here) == []
    here.fill(1)
    newest = api.call("GET", "/v1/log/checkpoint?cosigned=true").body.decode()
    assert parse_note(newest).text.splitlines()[1] == "5"
    assert len(times(newest, here)) == 2
    assert times(api.call("GET", "/v1/log/checkpoint").body.decode(), here) == []


def test_without_witnesses_there_is_no_cosigned_checkpoint(api: InProcess) -> None:
    """And to ask for one together with a size is refused."""
    assert api.call("GET", "/v1/log/checkpoint?cosigned=true").json["code"] == "no_such_entry"
    assert api.call("GET", "/v1/log/checkpoint?cosigned=true&size=0").status == 422


def test_a_witness_that_knows_more_than_we_remember_says_so(here: Here) -> None:
    """As after a restart: one conflict, and then the proof from the size that it has named."""
    here.fill(4)
    here.look(0)
    here.asked.clear()
    again = Witnessing(here.log, here.addresses[:1], post=here.post)
    here.fill(4)
    here.witnessing = again

    here.look(0)

    assert here.asked == [("one", 409), ("one", 200)]


def test_a_witness_that_is_away_holds_up_nobody(here: Here) -> None:
    """The other one is asked all the same; this one after pauses that double, and in the end it catches up."""
    here.away.add("one")
    moments: list[float] = []
    now = 0.0
    here.fill(1)
    while now < 4_000:
        before = here.attempts.count("one")
        here.look(now)
        moments += [now] * (here.attempts.count("one") - before)
        now += 1 if now < 20 else 50
    assert here.asked == [("two", 200)]
    assert 5 <= len(moments) <= 20
    here.away.clear()
    here.fill(3)

    here.look(now + LONGEST_PAUSE * 2)

    assert ("one", 200) in here.asked
    assert len(times(here.log.checkpoint(4), here)) == 2


def test_the_timer_never_waits_for_a_witness(here: Here) -> None:
    """One that never answers occupies one thread, and is not asked a second time meanwhile."""
    release, asked = Event(), []

    def hang(url: str, _: bytes) -> tuple[int, bytes]:
        asked.append(url)
        release.wait(60)
        raise NotAnswered("at last")

    witnessing = Witnessing(here.log, here.addresses, post=hang)
    begun = time.monotonic()
    for now in range(100):
        witnessing.look(now * 1000)
    assert time.monotonic() - begun < 30
    eventually(lambda: len(asked) == 2)
    release.set()


@pytest.mark.parametrize(
    "answer",
    [
        (200, b""),
        (200, "— one.test AAAA\n".encode()),
        (200, b"beans"),
        (200, b"\xff"),
        (403, b"no"),
        (409, b"99\n"),
        (409, b"-1\n"),
        (409, b"beans"),
        (500, b""),
    ],
)
def test_what_is_no_cosignature_is_not_kept(here: Here, answer: tuple[int, bytes]) -> None:
    """Whatever a witness answers; it is asked again later."""
    here.fill(2)
    witnessing = Witnessing(here.log, here.addresses, post=lambda *_: answer)
    here.witnessing, kept = witnessing, here.witnessing

    here.look(0)

    assert parse_note(here.log.checkpoint(2)).signatures[1:] == ()
    here.witnessing = kept
    here.look(10)
    assert len(times(here.log.checkpoint(2), here)) == 2


def test_a_cosignature_of_another_key_or_checkpoint_is_not_kept(here: Here) -> None:
    """Only what the configured key says of what was sent; beside others it is found."""
    here.fill(2)
    text = parse_note(here.log.checkpoint(2)).text
    state = here.witnesses["one"]
    foreign = cosign(text, "witness.test/w9", PRIVATE, 7)
    wrong = cosign(text.replace("\n2\n", "\n3\n"), state.key.name, state.private, 7)
    right = cosign(text, state.key.name, state.private, 7)
    answers = {foreign: 0, wrong: 0, wrong + right: 0, foreign + right: 1}
    for answer, kept in answers.items():
        here.witnessing = Witnessing(
            here.log,
            here.addresses[:1],
            post=lambda *_, said=answer: (200, said.encode()),
        )
        here.look(0)
        assert len(times(here.log.checkpoint(2), here)) == kept


def test_a_cosignature_of_a_time_that_is_yet_to_come_is_not_kept(
    here: Here, caplog: pytest.LogCaptureFixture
) -> None:
    """Five minutes may be what clocks differ by. The log names who is ahead, and the count says that somebody is."""
    here.fill(1)
    counted: list[tuple[str, str]] = []
    moments = iter((1000 * (5_000 - MOST_AHEAD) - 1, 1000 * (5_000 - MOST_AHEAD)))
    here.witnessing = Witnessing(
        here.log,
        here.addresses[:1],
        post=here.post,
        count=lambda name, outcome: counted.append((name, outcome)),
        now=lambda: next(moments),
    )
    here.look(0)
    assert times(here.log.checkpoint(1), here) == []
    assert (
        f"the witness one.test says that it co-signed at 5000 seconds since the epoch, {MOST_AHEAD + 1}"
        in (caplog.text)
    )
    here.look(100)
    assert times(here.log.checkpoint(1), here) == [("one.test", 5000)]
    assert counted == [("one.test", "ahead"), ("one.test", "cosigned")]


def test_metrics_say_how_far_the_log_is_witnessed_and_how_witnesses_answer(
    api: InProcess, here: Here
) -> None:
    """By the name of each; nothing of a log that nobody has co-signed."""
    here.fill(3)
    here.witnessing = Witnessing(
        here.log,
        here.addresses,
        post=here.post,
        count=lambda name, outcome: add_count(here.store, (COUNTS, name, outcome)),
    )
    here.away.add("two")

    def scrape() -> str:
        metrics = StoreMetrics(api.store, Readiness(api.store, "memory"))
        return generate_latest(Metrics().registry(metrics)).decode()

    before = scrape()
    assert "fieldbook_log_entries 3.0" in before
    assert "fieldbook_log_entries_witnessed" not in before
    here.look(0)
    here.fill(2)
    after = scrape()
    assert "fieldbook_log_entries 5.0" in after
    assert "fieldbook_log_entries_witnessed 3.0" in after
    assert 'fieldbook_witness_requests_total{outcome="cosigned",witness="one.test"} 1.0' in after
    assert 'fieldbook_witness_requests_total{outcome="away",witness="two.test"} 1.0' in after


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [((403, b"no"), "refused"), ((200, b"beans"), "refused"), (NotAnswered("away"), "away")],
)
def test_what_becomes_of_asking_is_counted(here: Here, answer: Any, outcome: str) -> None:
    """An operator sees from it whose turn it is."""
    here.fill(1)
    counted: list[tuple[str, str]] = []

    def post(*_: Any) -> tuple[int, bytes]:
        if isinstance(answer, Exception):
            raise answer
        found: tuple[int, bytes] = answer
        return found

    here.witnessing = Witnessing(
        here.log,
        here.addresses[:1],
        post=post,
        count=lambda name, outcome: counted.append((name, outcome)),
    )
    here.look(0)
    assert counted == [("one.test", outcome)]


def test_one_witness_has_one_line_on_a_size(here: Here) -> None:
    """Several projectors may ask it: the first answer stays, which says the earliest time."""
    here.fill(2)
    state = here.witnesses["one"]
    for at in (70, 60, 80):
        here.log.cosign(2, cosign(parse_note(here.log.checkpoint(2)).text, state.key.name, state.private, at))

    assert times(here.log.checkpoint(2), here) == [("one.test", 70)]


def test_a_records_proof_is_of_the_first_checkpoint_that_was_cosigned(api: InProcess, here: Here) -> None:
    """That says the earliest; a witness that came later has its own. A kept checkpoint is answered as ever."""
    game = api.stored()
    here.fill(2)
    api.call("GET", f"/v1/games/{game.id}/record")
    here.away.add("two")
    here.look(0)
    here.fill(2)
    here.away.clear()
    here.clock = 9_000.0
    here.look(100)
    here.fill(3)

    def record(query: str = "") -> list[Any]:
        return api.call("GET", f"/v1/games/{game.id}/record{query}").body.splitlines(keepends=True)

    proofs = [line for line in record() if line.startswith(b'{"attached":"inclusion"')]
    assert len(proofs) == 2
    assert verify_lines(record(), Trust((api.signing_keys.current,))).ok
    for size in (3, 4, 5, 7, 8):
        kept = parse_note(here.log.checkpoint(size))
        assert verify_lines(record(f"?checkpoint={size}"), Trust((api.signing_keys.current,), kept)).ok
    assert api.call("GET", f"/v1/games/{game.id}/record?checkpoint=99").json["code"] == "no_such_entry"
    plain = parse_inclusion_proof(api.call("GET", f"/v1/games/{game.id}/proof?size=5").body.decode())
    assert times(plain.note.text + "\n" + "".join(each.line() for each in plain.note.signatures), here) != []


@pytest.mark.parametrize(
    "value",
    [
        KEY,
        f"{KEY}=",
        f"{KEY}=ftp://witness.test",
        f"{KEY}=http://",
        f"{KEY}=http://user@witness.test",
        f"{KEY}=http://witness.test?x=1",
        f"{KEY}=http://witness.test:beans",
        f"{KEY[:-1]}A=http://witness.test",
        f"{KEY}=http://witness.test,{KEY}=http://other.test",
        "fieldbook.test/log+1e396bee+AUy1q/atefv1q7zK/MJp2FzSZR7UuIW1hp8kGu3wpbop=http://witness.test",
        "no-such-file",
        pytest.param(
            ",".join(
                f"{witness_key(f'w{number}.test', Ed25519PrivateKey.generate())}=http://w{number}.test"
                for number in range(MOST_WITNESSES + 1)
            ),
            id="one too many",
        ),
    ],
)
def test_a_setting_that_cannot_be_understood_is_refused(value: str) -> None:
    """By name, before anything is started."""
    with pytest.raises(BadSetting, match="FIELDBOOK_WITNESSES"):
        WITNESSES.value({"FIELDBOOK_WITNESSES": value})


def test_witnesses_are_named_in_the_setting_or_in_a_file(tmp_path: Path) -> None:
    """With commas, or one a line; a path is kept, the slash at its end is not."""
    other = str(witness_key("witness.test/w8", Ed25519PrivateKey.generate()))
    listed = tmp_path / "witnesses"
    listed.write_text(
        f"# ours\n{KEY}=http://witness.test/\n\n{other}=https://other.test/a\n", encoding="utf-8"
    )

    found = WITNESSES.value({"FIELDBOOK_WITNESSES": str(listed)})

    assert found == WITNESSES.value(
        {"FIELDBOOK_WITNESSES": f"{KEY}=http://witness.test, {other}=https://other.test/a"}
    )
    assert [each.url for each in found] == ["http://witness.test", "https://other.test/a"]
    assert WITNESSES.value({}) == ()


def test_a_backup_holds_what_was_cosigned(here: Here) -> None:
    """It is copied key by key: nobody could compute it again."""
    here.fill(2)
    here.look(0)

    kept = {line.name: line for line in kept_keys(here.store)}

    assert len(kept["{p00}:projection:cosignatures-1:lines"].values) == 2 * 2
