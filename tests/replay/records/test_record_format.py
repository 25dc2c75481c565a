"""docs/record-format.md says what is so: its vectors are recomputed here with nothing but hashlib, hmac and json."""

import base64
import hashlib
import hmac
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from msgspec.structs import replace

from events import domain_events as e
from events.chain.canonical import canonical
from events.chain.commitments import commit, salt, salt_key
from events.chain.hash_chain import link
from events.commands import ClockSettings
from events.commands.dealing import Dealing
from events.game import dealing
from events.game.clock import Clock
from events.game.limits import LARGEST_PLAYED, LARGEST_RECORD, MOST_ENTRIES
from events.game.record import FORMAT, KINDS, LONGEST_LINE, MOST_ATTACHED
from events.game.rewindable_history import REACH
from events.log.codec import COMMAND_TYPES, EVENT_TYPES
from events.rules.systems.ladybohn_expansion.table import LadybohnExpansionTable, LevyPromise
from events.rules.systems.the_duel.table import DuelSeat, DuelState, Gift
from events.rules.table.piles import cards_to_shuffle
from events.rules.table.state import Due, EndOffer, GameState, OpenOffer, Result, Seat, TakeBack
from events.transparency.checkpoint import parse_checkpoint
from events.transparency.cosignature import Cosignature, WitnessKey, cosignatures
from events.transparency.log_proof import parse_consistency_proof, parse_inclusion_proof
from events.transparency.signed_note import VerifierKey, parse_note
from tests.replay.commands.commands import SEAT
from tests.support.tables import classic_rules

PAGE = (Path(__file__).parents[3] / "docs" / "record-format.md").read_text()
BLOCKS = [json.loads(block) for block in re.findall(r"^```json\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)]
VECTORS = [block for block in BLOCKS if "vector" in block]
EXAMPLES = [block for block in BLOCKS if "vector" not in block]


def vectors(kind: str) -> list[dict[str, Any]]:
    """The vectors of this kind."""
    found = [vector for vector in VECTORS if vector["vector"] == kind]
    assert found
    return found


def hmac_sha256(key: bytes, message: bytes) -> bytes:
    """HMAC-SHA256."""
    return hmac.new(key, message, hashlib.sha256).digest()


def plain_canonical(value: Any) -> bytes:
    """Canonical JSON by the standard library: right for integers and ASCII member names."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def plain_numbers(key: bytes, purpose: str) -> Iterator[int]:
    """The stream of numbers, as the page describes it."""
    block = 0
    while True:
        digest = hmac_sha256(key, purpose.encode() + b"\0" + block.to_bytes(8, "big"))
        yield from (int.from_bytes(digest[place : place + 4], "big") for place in range(0, 32, 4))
        block += 1


def plain_below(numbers: Iterator[int], bound: int) -> int:
    """`below(n)`, as the page describes it."""
    while (number := next(numbers)) >= 2**32 // bound * bound:
        pass
    return number % bound


def test_every_kind_of_vector_is_there() -> None:
    """The page has a vector for each calculation."""
    hashed = {"canonical", "salt", "commitment", "chain"}
    dealt = {"shuffle key", "numbers", "shuffle", "redeal", "starting seat"}
    of_rounds = {"round's shuffle key", "shuffle alike", "round's salt"}
    signed = {"head", "audit", "inclusion", "consistency", "cosignature"}

    assert {vector["vector"] for vector in VECTORS} == hashed | dealt | of_rounds | signed | {"clock"}


@pytest.mark.parametrize(
    "vector", vectors("canonical") + vectors("chain"), ids=lambda vector: vector["vector"]
)
def test_canonical_json(vector: dict[str, Any]) -> None:
    """The bytes that are hashed."""
    value = vector["value"] if "value" in vector else vector["public_form"]

    assert vector["bytes"].encode() == plain_canonical(value) == canonical(value)


@pytest.mark.parametrize("vector", vectors("salt"))
def test_salts(vector: dict[str, Any]) -> None:
    """Salts follow from secret, version and path."""
    key = hmac_sha256(bytes.fromhex(vector["secret"]), b"salt")
    found = hmac_sha256(key, f"{vector['version']}/{vector['path']}".encode())[:16]

    assert vector["key"] == key.hex() == salt_key(vector["secret"]).hex()
    assert vector["salt"] == found.hex() == salt(key, vector["version"], vector["path"])


@pytest.mark.parametrize("vector", vectors("commitment"))
def test_commitments(vector: dict[str, Any]) -> None:
    """A commitment is a salted hash of the canonical value."""
    found = hashlib.sha256(bytes.fromhex(vector["salt"]) + plain_canonical(vector["value"])).hexdigest()

    assert vector["commitment"] == found == commit(vector["salt"], vector["value"])


def test_the_chain() -> None:
    """Each hash follows from the one before; the first from 32 zero bytes."""
    before = "0" * 64
    for vector in vectors("chain"):
        assert vector["previous"] == before
        before = hashlib.sha256(bytes.fromhex(before) + plain_canonical(vector["public_form"])).hexdigest()
        assert vector["hash"] == before == link(vector["previous"], vector["public_form"])


@pytest.mark.parametrize("vector", vectors("shuffle key"))
def test_the_shuffle_key(vector: dict[str, Any]) -> None:
    """The shuffle key binds the secret to system, options and seeds."""
    bound = {"options": vector["options"], "seeds": vector["seeds"], "system": vector["system"]}
    secret = bytes.fromhex(vector["secret"])
    seats = tuple(Seat(seed=seed) for seed in vector["seeds"])
    state = GameState(system=vector["system"], options=vector["options"], seats=seats)

    assert vector["commitment"] == hashlib.sha256(secret).hexdigest()
    assert vector["bound"].encode() == plain_canonical(bound)
    assert vector["key"] == hmac_sha256(secret, plain_canonical(bound)).hex()
    assert vector["key"] == dealing.shuffle_key(vector["secret"], state).hex()


@pytest.mark.parametrize("vector", vectors("numbers"))
def test_the_numbers(vector: dict[str, Any]) -> None:
    """A stream of 32-bit numbers for each purpose."""
    key = bytes.fromhex(vector["key"])
    plain = plain_numbers(key, vector["purpose"])
    ours = dealing.numbers(key, vector["purpose"])

    assert (
        vector["numbers"]
        == [next(plain) for _ in vector["numbers"]]
        == [next(ours) for _ in vector["numbers"]]
    )


@pytest.mark.parametrize("vector", vectors("round's shuffle key"))
def test_the_shuffle_key_of_a_round(vector: dict[str, Any]) -> None:
    """It binds the round's secret to system, options and the seed of the round, and to no table."""
    bound = {"dealing": 2, **{name: vector[name] for name in ("options", "seed", "system")}}
    secret, dealt = bytes.fromhex(vector["secret"]), Dealing(2, vector["seed"])
    state = GameState(game="any", system=vector["system"], options=vector["options"], dealing=dealt)

    assert vector["commitment"] == hashlib.sha256(secret).hexdigest()
    assert vector["bound"].encode() == plain_canonical(bound)
    assert vector["key"] == hmac_sha256(secret, plain_canonical(bound)).hex()
    assert vector["key"] == dealing.shuffle_key(vector["secret"], state).hex()


@pytest.mark.parametrize("vector", vectors("shuffle alike"))
def test_the_shuffle_of_a_round(vector: dict[str, Any]) -> None:
    """By the value of each card, which is the same whatever else lies in the pile."""
    key, cards = bytes.fromhex(vector["key"]), vector["cards"]
    numbered = [(card, cards[: place + 1].count(card)) for place, card in enumerate(cards)]
    messages = [plain_canonical([vector["purpose"], *each]) for each in numbered]
    values = [hmac_sha256(key, message).hex() for message in messages]

    assert vector["values"] == values
    assert vector["order"] == [card for _, card in sorted(zip(values, cards, strict=True))]
    assert vector["order"] == list(dealing.shuffled_alike(key, vector["purpose"], tuple(cards)))


@pytest.mark.parametrize("vector", vectors("round's salt"))
def test_the_salts_of_a_round(vector: dict[str, Any]) -> None:
    """They are bound to the game."""
    bound = plain_canonical({"dealing": 2, "game": vector["game"], "purpose": "salt"})
    key = hmac_sha256(bytes.fromhex(vector["secret"]), bound)
    ours = dealing.game_salt_key(vector["secret"], vector["game"], Dealing(2, "any"))

    assert vector["bound"].encode() == bound
    assert vector["key"] == key.hex() == ours.hex()
    assert vector["salt"] == salt(key, vector["version"], vector["path"])


def plain_shuffled(key: bytes, purpose: str, cards: list[str]) -> list[str]:
    """A shuffle, as the page describes it: Fisher-Yates from the last card down."""
    order, numbers = list(cards), plain_numbers(key, purpose)
    for last in range(len(order) - 1, 0, -1):
        other = plain_below(numbers, last + 1)
        order[last], order[other] = order[other], order[last]
    return order


@pytest.mark.parametrize("vector", vectors("shuffle"))
def test_the_shuffle(vector: dict[str, Any]) -> None:
    """The order follows from key and purpose."""
    key, purpose, cards = bytes.fromhex(vector["key"]), vector["purpose"], vector["cards"]

    assert vector["order"] == plain_shuffled(key, purpose, cards)
    assert vector["order"] == list(dealing.shuffled(key, purpose, tuple(cards)))


@pytest.mark.parametrize("vector", vectors("redeal"))
def test_what_is_left_of_a_pile_is_dealt_anew(vector: dict[str, Any]) -> None:
    """After going back: under the next number, from the cards that were left, top card first."""
    left = tuple(vector["pile"][vector["taken"] :])
    due = Due("shuffle", "draw", "redeal")
    state = GameState(system="classic", draw_pile=left, shuffles=1, redeal=("draw",), due=due)
    key = bytes.fromhex(vector["key"])

    assert vector["order"] == plain_shuffled(key, vector["purpose"], list(left))
    assert vector["order"] == list(dealing.shuffled(key, "draw/2", cards_to_shuffle(classic_rules(), state)))


@pytest.mark.parametrize("vector", vectors("starting seat"))
def test_the_starting_seat(vector: dict[str, Any]) -> None:
    """A drawn starting seat comes from a stream of its own."""
    key = bytes.fromhex(vector["key"])

    assert vector["seat"] == plain_below(plain_numbers(key, "start_seat"), vector["players"])


def test_the_example_lines_are_real() -> None:
    """Each example stands like this in a recorded game."""
    lines = [json.loads(line) for line in SEAT.read_text().splitlines()]

    assert len(EXAMPLES) == 3
    assert [example for example in EXAMPLES if example not in lines] == []


def test_a_verifier_of_a_page_reads_a_whole_record() -> None:
    """What the page says is enough to follow the chain of a real record."""
    lines = [json.loads(line) for line in SEAT.read_text().splitlines()]
    head = "0" * 64
    for line in lines[1:-1]:
        form = line["entry"]
        for path, used in line["salts"].items():
            place, *rest = path.split("/")
            holder, name = form[place], rest[0]
            if len(rest) == 2:
                holder, name = holder[name], int(rest[1])
            hidden = hashlib.sha256(bytes.fromhex(used) + plain_canonical(holder[name])).hexdigest()
            holder[name] = {"commitment": hidden}
        head = hashlib.sha256(bytes.fromhex(head) + plain_canonical(form)).hexdigest()
        assert line["hash"] == head

    assert lines[-1] == {"end": len(lines) - 2, "hash": head}


@pytest.mark.parametrize("types", [EVENT_TYPES, COMMAND_TYPES], ids=["events", "commands"])
def test_the_tables_name_every_type_field_and_private_value(types: dict[str, type[msgspec.Struct]]) -> None:
    """The tables of events and commands are those of the code."""
    rows = {row[1]: row for row in re.findall(r"^(\| `(\w+)` \| (.*) \| (.*) \|)$", PAGE, re.MULTILINE)}
    for name, struct in types.items():
        private: dict[str, str] = getattr(struct, "private")  # noqa: B009  # both kinds of struct have it
        assert re.findall(r"`(\w+)`", rows[name][2]) == [
            field.encode_name for field in msgspec.structs.fields(struct)
        ]
        assert set(re.findall(r"`(\w+)` \(", rows[name][3])) == set(private)


@pytest.mark.parametrize(
    "struct",
    [
        *(Dealing, GameState, Seat, OpenOffer, Due, Result, TakeBack, EndOffer),
        *(DuelState, DuelSeat, Gift, LadybohnExpansionTable, LevyPromise),
    ],
)
def test_the_table_of_the_state_names_every_member(struct: type[msgspec.Struct]) -> None:
    """The members that the state hash covers are those of the code."""
    members = [field.encode_name for field in msgspec.structs.fields(struct)]

    assert any(re.findall(r"`(\w+)`", line) == members for line in PAGE.splitlines())


@pytest.mark.parametrize("vector", vectors("head") + vectors("audit"), ids=lambda vector: vector["vector"])
def test_signed_notes(vector: dict[str, Any]) -> None:
    """The text, the key id and the signature of heads and of audit receipts."""
    texts = {
        "head": "fieldbook game head v1\ngame {game}\nversion {version}\nhash {hash}\nstatus {status}\n",
        "audit": "fieldbook audit v1\ngame {game}\nversion {version}\nhash {hash}\n"
        "system {system} {system_version}\nengine {engine}\nresult {result}\n",
    }
    text = texts[vector["vector"]].format(**vector)
    name, key_id, encoded = vector["key"].split("+")
    public = base64.b64decode(encoded)
    dash, signer, signature = vector["note"].removeprefix(text + "\n").rstrip("\n").split(" ")
    value = base64.b64decode(signature)

    assert hashlib.sha256(name.encode() + b"\n" + public).digest()[:4].hex() == key_id == value[:4].hex()
    assert (dash, signer, public[:1]) == ("—", name, b"\x01")
    Ed25519PublicKey.from_public_bytes(public[1:]).verify(value[4:], text.encode())
    key = VerifierKey.parse(vector["key"])
    assert parse_note(vector["note"]).require([key]) == key


@pytest.mark.parametrize("vector", vectors("inclusion"))
def test_inclusion_proofs(vector: dict[str, Any]) -> None:
    """The third of five leaves: its sibling, the node beside them, and the last leaf lead to the root."""
    first, index, *hashes = vector["proof"].split("\n\n")[0].split("\n")
    sibling, beside, last = map(base64.b64decode, hashes)
    leaf = hashlib.sha256(b"\x00" + vector["leaf"].encode()).digest()
    node = hashlib.sha256(b"\x01" + leaf + sibling).digest()
    node = hashlib.sha256(b"\x01" + beside + node).digest()
    root = hashlib.sha256(b"\x01" + node + last).digest()

    assert (first, index) == ("c2sp.org/tlog-proof@v1", "index 2")
    assert vector["proof"].split("\n\n")[1].split("\n")[1:] == ["5", base64.b64encode(root).decode()]
    proof = parse_inclusion_proof(vector["proof"])
    key = VerifierKey.parse(vector["key"])
    assert proof.note.require([key]) == key
    proof.check(vector["leaf"])


@pytest.mark.parametrize("vector", vectors("consistency"))
def test_consistency_proofs(vector: dict[str, Any]) -> None:
    """From three leaves to five."""
    proof = parse_consistency_proof(vector["proof"])

    assert (proof.old, proof.new) == (3, 5)
    proof.check(parse_checkpoint(vector["old"]), parse_checkpoint(vector["new"]))


@pytest.mark.parametrize("vector", vectors("cosignature"))
def test_cosignatures(vector: dict[str, Any]) -> None:
    """Made with nothing of ours, on the checkpoint of the inclusion proof."""
    key = WitnessKey.parse(vector["key"])
    note = parse_note(vector["note"])

    assert cosignatures(note, [key]) == (Cosignature(key, vector["at"]),)
    assert note.text == parse_inclusion_proof(vectors("inclusion")[0]["proof"]).note.text


def test_the_page_names_every_kind_of_attachment_and_the_limits() -> None:
    """As the reader of records has them."""
    for kind in KINDS:
        assert re.search(rf"^\| `{kind}` \|", PAGE, re.MULTILINE), kind
    for limit in (LONGEST_LINE, MOST_ATTACHED, MOST_ENTRIES, REACH, LARGEST_RECORD, LARGEST_PLAYED):
        assert f"{limit:,}" in PAGE
    assert f"This is format version {FORMAT}," in PAGE


def test_the_example_of_a_clock() -> None:
    """Its deadlines are those of a game in which just that happens; a table of seats is all that the clock needs."""
    (vector,) = vectors("clock")
    settings = msgspec.convert(vector["clock"], ClockSettings)
    seats = (Seat(kind="human"), Seat(kind="human"))
    turn = GameState(status="running", seats=seats, turn=1, active=0, phase="trade")
    asked = replace(turn, offers=(OpenOffer(1, 0, 1),))
    second, third = replace(turn, turn=2, active=1), replace(turn, turn=3, active=0)
    steps: list[tuple[e.DomainEvent, GameState]] = [
        (e.TurnBegan(0, 1), turn),
        (e.OfferMade(1, 0, 1), asked),
        (e.TimeCredited(1_021_000, 1_026_000, "outage"), asked),
        (e.OfferDeclined(1, 1, closed=True), turn),
        (e.TurnBegan(1, 2), second),
        (e.TimeExpired(1, 1_100_000, strikes=1), second),
        (e.TurnBegan(0, 3), third),
    ]
    clock = Clock(settings, (settings.bank * 1000,) * 2)

    for (event, state), said in zip(steps, vector["entries"], strict=True):
        clock = clock.after(said["at"], event, state)
        assert {str(wait.awaited.seat): wait.deadline for wait in clock.waits} == said["deadlines"], said[
            "what"
        ]
