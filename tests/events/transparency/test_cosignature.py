"""Cosignatures: a witness's word on a checkpoint and its time, in the format of C2SP tlog-cosignature."""

import base64
import hashlib

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events.transparency.cosignature import (
    COSIGNATURE,
    LATEST,
    Cosignature,
    WitnessKey,
    cosign,
    cosignatures,
    witness_key,
)
from events.transparency.signed_note import NoteRefused, VerifierKey, parse_note, sign, write_key
from tests.support.signing import Signer

PRIVATE = Ed25519PrivateKey.from_private_bytes(bytes(31) + b"\x07")
NAME = "witness.example/w1"
KEY = witness_key(NAME, PRIVATE)
AT = 1679315147
LOG = Signer()
CHECKPOINT = LOG.checkpoint()
TEXT = parse_note(CHECKPOINT).text
COSIGNED = CHECKPOINT + cosign(TEXT, NAME, PRIVATE, AT)

SPECIFIED = (
    "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n"
    "— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+"
    "zyWE+xeMcTOAYQ8=\n"
    "— witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0"
    "xUe+mbIUBkBIfZ+qnA==\n"
)
"""The example of the specification, which does not say the public key."""


def test_a_cosignature_is_what_the_specification_says_byte_by_byte() -> None:
    """Put together here from its words, with nothing of ours: id, time, signature."""
    public = PRIVATE.public_key().public_bytes_raw()
    key_id = hashlib.sha256(b"witness.example/w1\n\x04" + public).digest()[:4]
    signed = b"cosignature/v1\ntime 1679315147\n" + TEXT.encode()
    value = key_id + (1679315147).to_bytes(8, "big") + PRIVATE.sign(signed)

    assert cosign(TEXT, NAME, PRIVATE, AT) == f"— witness.example/w1 {base64.b64encode(value).decode()}\n"
    published = base64.b64encode(b"\x04" + public).decode()
    assert str(KEY) == f"{NAME}+{key_id.hex()}+{published}"


def test_the_example_of_the_specification_is_read() -> None:
    """Its time is where it should be, and it is 76 bytes long; nobody knows the key that made it."""
    note = parse_note(SPECIFIED)
    value = note.signatures[1].value

    assert int.from_bytes(value[:8], "big") == 1679315147
    assert len(value) == 8 + 64
    assert cosignatures(note, [KEY]) == ()


def test_a_cosigned_checkpoint_says_who_and_when() -> None:
    """And the log's own signature is there as before, for whoever knows nothing of witnesses."""
    note = parse_note(COSIGNED)

    assert cosignatures(note, [KEY]) == (Cosignature(KEY, AT),)
    assert note.require([LOG.key]) == LOG.key
    assert note.text == TEXT


def test_every_cosignature_of_a_witness_counts() -> None:
    """One that co-signs again later says so with another time."""
    note = parse_note(COSIGNED + cosign(TEXT, NAME, PRIVATE, AT + 60))

    assert [each.at for each in cosignatures(note, [KEY])] == [AT, AT + 60]


def test_cosignatures_of_others_count_for_nothing() -> None:
    """Nor does one under the same name by another key, whose id is another one."""
    other = Ed25519PrivateKey.from_private_bytes(bytes(31) + b"\x08")
    note = parse_note(CHECKPOINT + cosign(TEXT, NAME, other, AT) + cosign(TEXT, "other.example", PRIVATE, AT))

    assert cosignatures(note, [KEY]) == ()


def _rewritten(change: bytes, place: int) -> str:
    """The cosigned checkpoint with other bytes at a place of the witness's signature."""
    value = bytearray(base64.b64decode(COSIGNED.rstrip("\n").rsplit(" ", 1)[1]))
    value[place : place + len(change)] = change
    return f"{CHECKPOINT}— {NAME} {base64.b64encode(value).decode()}\n"


@pytest.mark.parametrize(
    ("note", "reason"),
    [
        (_rewritten((AT - 1).to_bytes(8, "big"), 4), "not that of"),
        (_rewritten((AT + 1).to_bytes(8, "big"), 4), "not that of"),
        (_rewritten(bytes(8), 4), "no cosignature is made at 0 seconds"),
        (_rewritten((LATEST + 1).to_bytes(8, "big"), 4), "no cosignature is made at"),
        (_rewritten(b"\x00\x00", 40), "not that of"),
        (COSIGNED.replace("\n0\n", "\n1\n", 1), "not that of"),
        (COSIGNED.replace("fieldbook.test/log\n", "fieldbook.test/log2\n", 1), "not that of"),
        (sign(TEXT, NAME, PRIVATE) + _rewritten(b"", 0).splitlines()[-1][:-8] + "\n", "not one of 64 bytes"),
    ],
    ids=["earlier", "later", "no-time", "beyond", "bytes", "size", "origin", "cut-off"],
)
def test_a_cosignature_of_another_time_or_checkpoint_is_refused(note: str, reason: str) -> None:
    """The time is signed with the checkpoint: nobody but the witness can set it."""
    with pytest.raises(NoteRefused, match=reason):
        cosignatures(parse_note(note), [KEY])


def test_an_ordinary_signature_by_the_same_key_is_no_cosignature() -> None:
    """Its id is another one, because the type byte is in it."""
    assert cosignatures(parse_note(sign(TEXT, NAME, PRIVATE)), [KEY]) == ()


@pytest.mark.parametrize("at", [0, -1, LATEST + 1])
def test_no_cosignature_is_made_at_a_time_that_is_none(at: int) -> None:
    """Zero stands for one without a time."""
    with pytest.raises(NoteRefused):
        cosign(TEXT, NAME, PRIVATE, at)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "witness.example/w1",
        str(KEY)[:-4],
        str(KEY).replace("+", " ", 1),
        str(KEY).replace(KEY.id.hex(), "00000000"),
        str(VerifierKey(NAME, KEY.public)),
        str(LOG.key),
        write_key("", COSIGNATURE, KEY.public),
        write_key(NAME, b"\x06", KEY.public),
    ],
    ids=["empty", "name", "short", "space", "id", "ed25519", "log", "nameless", "ml-dsa"],
)
def test_what_is_no_key_of_a_witness_is_refused(text: str) -> None:
    """Above all the key of a log: whoever takes one for the other trusts the wrong thing."""
    with pytest.raises(NoteRefused):
        WitnessKey.parse(text)


def test_a_log_does_not_take_the_key_of_a_witness() -> None:
    """Nor the other way round."""
    assert WitnessKey.parse(str(KEY)) == KEY
    with pytest.raises(NoteRefused):
        VerifierKey.parse(str(KEY))
