"""Partitions that take no appends: damaged ones, and ones that have lost what was acknowledged."""

from typing import Protocol


class Quarantine(Protocol):
    """Which partitions are quarantined, and why. It is kept in the store, so every process obeys it at once.

    The append function looks at it in the same step in which it writes. Reading goes on.
    """

    def reasons(self) -> dict[int, str]:
        """Return every quarantined partition with its reason."""
        ...

    def put(self, partition: int, reason: str) -> None:
        """Take no appends to a partition from now on; a reason that stands already is replaced."""
        ...

    def release(self, partition: int, accepted: str = "") -> None:
        """Take appends again; `accepted` is the damage that is not to be a reason any more."""
        ...

    def accepted(self, partition: int) -> str:
        """Return the damage that was accepted when the partition was released last; empty when there was none."""
        ...

    def was_released(self, partition: int) -> bool:
        """Say whether the partition was ever released: from then on its games may have gone another way."""
        ...
