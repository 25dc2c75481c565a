"""The levels of durability; apart from all that asks a server, which takes as long to import as to start one."""

import enum


class Durability(enum.StrEnum):
    """What an acknowledged append survives."""

    MEMORY = "memory"
    """Nothing: it is gone when the server stops."""
    LOCAL = "local"
    """The end of the server process; when the machine loses power the last second may be lost."""
    FSYNC = "fsync"
    """Loss of power: it was on the disk before it was acknowledged."""
    REPLICATED = "replicated"
    """Loss of the machine: it was on the disk, and a replica had it, before it was acknowledged."""
