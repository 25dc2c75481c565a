"""Signed notes: what is signed is read, what is not is refused with the reason (C2SP signed-note)."""

import base64

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events.transparency.signed_note import (
    LONGEST_NOTE,
    MOST_SIGNATURES,
    NoteRefused,
    VerifierKey,
    named_key,
    parse_note,
    sign,
)

PRIVATE = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
OTHER = Ed25519PrivateKey.from_private_bytes(bytes(32))
TEXT = "game g1\nhash Zoë\n"
NOTE = sign(TEXT, "fieldbook.test/one", PRIVATE)


def public(private: Ed25519PrivateKey, name: str = "fieldbook.test/one") -> VerifierKey:
    """The key to check with."""
    return named_key(name, private.public_key().public_bytes_raw())


KEY = public(PRIVATE)


def test_a_note_shows_its_text_and_who_signed_it() -> None:
    """The format, byte by byte: text, blank line, dash, name, key id and signature."""
    signature = base64.b64encode(KEY.id + PRIVATE.sign(TEXT.encode())).decode()
    assert f"game g1\nhash Zoë\n\n— fieldbook.test/one {signature}\n" == NOTE
    assert parse_note(NOTE).text == TEXT
    assert parse_note(NOTE).require([KEY]) == KEY


def test_a_key_is_published_as_one_word() -> None:
    """Name, key id and base 64; a golden one for whoever writes a verifier."""
    assert str(KEY) == "fieldbook.test/one+eec92d55+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4"
    assert VerifierKey.parse(str(KEY)) == KEY


@pytest.mark.parametrize(
    "text",
    [
        "",
        "fieldbook.test/one",
        str(KEY).replace("fieldbook", "Fieldbook"),
        str(KEY)[:-4],
        str(KEY)[:-1] + "9",
        str(KEY).replace("+AQ", "+Ag"),
        "a b" + str(KEY),
    ],
)
def test_what_is_no_key_is_refused(text: str) -> None:
    """No key, another id, another length, another kind of key, a name with a space."""
    with pytest.raises(NoteRefused):
        VerifierKey.parse(text)


def test_signatures_of_strangers_count_for_nothing() -> None:
    """A key with the same name and another id did not sign; a second signature does no harm."""
    stranger = public(OTHER)
    note = parse_note(NOTE + sign(TEXT, "witness", OTHER).rpartition("\n\n")[2])
    assert note.signed_by([stranger]) == ()
    assert note.signed_by([stranger, KEY]) == (KEY,)
    assert note.signed_by([KEY, public(OTHER, "witness")]) == (KEY, public(OTHER, "witness"))
    with pytest.raises(NoteRefused, match="none of the keys"):
        note.require([stranger])


def test_every_changed_character_is_noticed() -> None:
    """In text, name, id or signature: refused, or no longer signed by the key."""
    for place, character in enumerate(NOTE):
        changed = NOTE[:place] + chr(ord(character) ^ 1) + NOTE[place + 1 :]
        with pytest.raises(NoteRefused):
            parse_note(changed).require([KEY])


@pytest.mark.parametrize(
    "note",
    [
        "",
        TEXT,
        TEXT + "\n",
        NOTE[:-1],
        NOTE + "\n",
        NOTE + "— one\n",
        NOTE.replace("— ", "- "),
        NOTE.replace("one ", "one  "),
        NOTE.replace("game", "ga\tme"),
        NOTE.replace("game", "ga\0me"),
        TEXT + "\n— one AAAA\n",
        TEXT + "\n— one AAAAAA==\n",
        TEXT + "\n— one not,base64\n",
        TEXT + "\n— one AAAAAAB=\n",
        TEXT + "\n" + "— one AAAAAAA=\n" * (MOST_SIGNATURES + 1),
        "x" * LONGEST_NOTE + "\n" + NOTE,
    ],
)
def test_what_is_no_note_is_refused(note: str) -> None:
    """Cut off, without signatures, with control characters, too long, base 64 written in another way."""
    with pytest.raises(NoteRefused):
        parse_note(note)


@pytest.mark.parametrize("text", ["", "\n", "no line feed", "a\n\nb\n", "a\tb\n"])
def test_a_text_that_would_read_differently_is_not_signed(text: str) -> None:
    """A blank line would end the text early."""
    with pytest.raises(NoteRefused):
        sign(text, "one", PRIVATE)


@pytest.mark.parametrize("name", ["", "a b", "a+b", "a\nb", "a\u2003b"])
def test_a_name_that_a_note_cannot_carry_is_refused(name: str) -> None:
    """Spaces and plus would be read as something else."""
    with pytest.raises(NoteRefused, match="name of a key"):
        sign(TEXT, name, PRIVATE)
