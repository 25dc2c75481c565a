"""Whether a lag is bounded: how long it is while nothing is restarted, and how soon after a restart it is so again.

After a restart a lag counts as over from the last moment on at which it was more than a second. That must come before
the next restart, and within half a minute. Everything outside of these times is calm: there its p99 must be under a
second, and its maximum under some seconds.
"""

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

MOST_SECONDS: Final = 1.0
"""A lag above this is one."""
MOST_AT_ONCE: Final = 5.0
"""What a calm lag may be at its worst, once in a hundred."""
RECOVERY_SECONDS: Final = 30.0
"""How long after a restart a lag may last."""


class Lag(msgspec.Struct, frozen=True, kw_only=True):
    """How long something lagged behind, in seconds."""

    samples: int
    calm_median: float
    calm_p99: float
    calm_most: float
    after: Mapping[str, float]
    """By process, the longest time from a restart until the lag was over."""
    findings: tuple[str, ...]


def lag(name: str, series: Sequence[tuple[float, float]], restarts: Sequence[tuple[float, str]]) -> Lag:
    """Judge moments with the lag of then, in seconds, beside the moments of the restarts, each with its process."""
    after: dict[str, float] = {}
    disturbed: list[tuple[float, float]] = []
    findings: list[str] = []
    following = [moment for moment, _ in (*restarts, (float("inf"), ""))][1:]
    for (moment, process), next_one in zip(restarts, following, strict=True):
        until = min(next_one, moment + RECOVERY_SECONDS)
        within = [(at, value) for at, value in series if moment <= at < until]
        over = max((at for at, value in within if value > MOST_SECONDS), default=moment)
        after[process] = max(after.get(process, 0.0), over - moment)
        disturbed.append((moment, over))
        # Nothing shorter than a second after it, and so not known to be over.
        if over > moment and not any(at > over for at, _ in within):
            findings.append(f"{name} was not over {until - moment:.0f} s after a restart of {process}")
    calm = sorted(value for at, value in series if not any(a <= at <= b for a, b in disturbed))
    p99, most = part(calm, 0.99), part(calm, 1.0)
    if p99 > MOST_SECONDS:
        findings.append(f"{name} outside of restarts: p99 {p99:.1f} s, more than {MOST_SECONDS:.0f} s")
    if most > MOST_AT_ONCE:
        findings.append(f"{name} outside of restarts: at most {most:.1f} s, more than {MOST_AT_ONCE:.0f} s")
    return Lag(
        samples=len(series),
        calm_median=part(calm, 0.5),
        calm_p99=p99,
        calm_most=most,
        after=after,
        findings=tuple(findings),
    )


def part(ordered: Sequence[float], share: float) -> float:
    """The value that this part of ordered values does not exceed; 0 where there are none."""
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)] if ordered else 0.0
