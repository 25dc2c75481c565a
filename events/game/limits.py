"""How much a log may take, and how much of a record is read: one place for the service and for every verifier.

What the service accepts, every verifier reads: a log that is full makes a record of `LARGEST_PLAYED` bytes at most,
and that is less than a reader reads. The second verifier has its own figures; a test compares them.
"""

from typing import Final

from events.game.record import LONGEST_LINE, MOST_ANNOTATED

MOST_ENTRIES = 1_000_000
"""Entries of a record that are read at most: games were longer before their logs had a cap."""
LARGEST_RECORD: Final = 256 * 1024 * 1024
"""Bytes of a record that are read at most, after decompression."""

FULL_ENTRIES: Final = 32_768
"""A log with so many entries takes nothing more; a command that was accepted before is written whole."""
FULL_BYTES: Final = 16 * 1024 * 1024
"""The same of bytes of its events and commands."""
FULL_HIDDEN: Final = 65_536
"""The same of single hidden values, each of which takes up to `LARGEST_HIDDEN` bytes in a record."""

BEYOND_ENTRIES: Final = 1_024
"""Entries that a full log can still get: the last command's, and what arbiters write in all of a game's cases."""
BEYOND_BYTES: Final = 2 * 1024 * 1024
"""Bytes of these."""
BEYOND_HIDDEN: Final = 4_096
"""Hidden values of these: a last shuffle, and what is drawn of it."""
LARGEST_FRAME: Final = 448
"""Bytes of a line of a record without data, command and what is hidden in them: names, hashes, time, state's salt."""
LARGEST_HIDDEN: Final = 84
"""Bytes that a hidden value adds to a line: its commitment, or its salt with the path."""
LARGEST_PLAYED: Final = (
    2 * LONGEST_LINE  # the header, and what is attached with the end
    + MOST_ANNOTATED
    + (FULL_ENTRIES + BEYOND_ENTRIES) * LARGEST_FRAME
    + (FULL_BYTES + BEYOND_BYTES)
    + (FULL_HIDDEN + BEYOND_HIDDEN) * LARGEST_HIDDEN
)
"""Bytes of the record of a full log at most, in any scope and with annotations."""
