"""Rotations of a service's key: each new key is endorsed by the one before it, so trust follows from key to key.

An endorsement is a signed note with the text

    fieldbook key rotation v1
    key <published form of the new key>
"""

from collections.abc import Iterable

from events.transparency.signed_note import NoteRefused, VerifierKey, parse_note


def rotation_text(key: VerifierKey) -> str:
    """Return the text by which the key before it endorses this key."""
    return f"fieldbook key rotation v1\nkey {key}\n"


def follow_rotations(
    trusted: Iterable[VerifierKey], published: Iterable[tuple[str, str]]
) -> tuple[VerifierKey, ...]:
    """Return the trusted keys and all keys that follow from them.

    `published` are keys in their published form with their endorsements, the oldest first. A key without an
    endorsement by a key that is trusted by then is left out.

    Raises:
        NoteRefused: a key or an endorsement is malformed, or an endorsement under a trusted key is not its own.
    """
    found = [*trusted]
    for text, endorsement in published:
        key = VerifierKey.parse(text)
        if key in found or not endorsement:
            continue
        note = parse_note(endorsement)
        if note.signed_by(found):
            if note.text != rotation_text(key):
                raise NoteRefused(f"what endorses {text[:60]!r} is signed for something else")
            found.append(key)
    return tuple(found)
