"""Keys of the store as they are: those that a backup copies without knowing what is in them."""

import re
from collections.abc import Iterator
from typing import Final

from events.redis_connection import RedisConnection
from events.redis_keys import INSTALLATION
from service.backup_files import BackupUnusable, KeyLine
from service.transparency_log import LOG

COMPUTED_AGAIN: Final = r"(games|bots)-[^:]*|validations-\d+:(valid|invalid|listed)"
"""The projections that the processes compute again from the feeds, in every version and generation of theirs."""
_IN_A_PARTITION: Final = (
    # What is said about a game, and its cases, are no part of it, and copied as they are; indexes are made again.
    r"game:(?![^:]*:(annotations|disputes|evidence)$).*|disputes:.*|feed|feed:head|quarantine|quarantine:accepted"
    rf"|acknowledged|projection:({COMPUTED_AGAIN}|{LOG})(:.*)?"
)
LEFT_OUT: Final = re.compile(rf"rq:.*|\{{p\d\d\}}:({_IN_A_PARTITION})|{INSTALLATION}")
"""Keys that are copied in another way, computed again, or only hints."""
_CHUNK: Final = 1000
_STAYS: Final = -1
"""What the server calls the time to live of a key that does not expire."""


def kept_keys(connection: RedisConnection) -> Iterator[KeyLine]:
    """All keys that are neither left out nor expire, each in one or more lines."""
    for name in sorted(_names(connection)):
        if LEFT_OUT.fullmatch(name) is None and connection.command("PTTL", name) == _STAYS:
            yield from key_lines(connection, name)


def key_lines(connection: RedisConnection, name: str) -> Iterator[KeyLine]:
    """A key as it is, in pieces where it is large; nothing for one that is not there any more.

    Raises:
        BackupUnusable: it is of a kind that no backup knows.
    """
    command = connection.command
    kind: str = command("TYPE", name).decode()
    match kind:
        case "none":
            return
        case "string":
            yield from (KeyLine(name, kind, [each]) for each in [command("GET", name)] if each is not None)
        case "hash":
            yield from (KeyLine(name, kind, found) for found in _scanned(connection, "HSCAN", name))
        case "set":
            yield from (KeyLine(name, kind, sorted(found)) for found in _scanned(connection, "SSCAN", name))
        case "list":
            yield KeyLine(name, kind, command("LRANGE", name, 0, -1))
        case "zset":
            for found in _scanned(connection, "ZSCAN", name):
                swapped = zip(found[1::2], found[::2], strict=True)
                yield KeyLine(name, kind, [each for pair in swapped for each in pair])
        case "stream":
            entries = [(each[0], each[1]) for each in command("XRANGE", name, "-", "+")]
            yield KeyLine(name, kind, [], entries)
        case _:
            raise BackupUnusable(f"The key {name} is of the kind {kind}, which no backup knows.")


def _names(connection: RedisConnection) -> set[str]:
    names: set[str] = set()
    for server in connection.servers():
        cursor = b"0"
        while True:
            cursor, found = server.command("SCAN", cursor, "COUNT", _CHUNK)
            names.update(name.decode() for name in found)
            if cursor == b"0":
                break
    return names


def _scanned(connection: RedisConnection, how: str, name: str) -> Iterator[list[bytes]]:
    """The content of a key in pieces; what is there all the time is in one of them, perhaps in two."""
    cursor = b"0"
    while True:
        cursor, found = connection.command(how, name, cursor, "COUNT", _CHUNK)
        if found:
            yield found
        if cursor == b"0":
            return
