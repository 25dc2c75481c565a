"""The options and the results of a campaign."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

Tell = Callable[[str], object]  # called with the progress of a campaign


class Plan(NamedTuple):
    """The options of a campaign; None and empty for the campaign's default.

    Unless `patient`, a campaign is short, and does not wait a minute and more for validations that were with a killed
    worker. `slack` is how many times longer than usual something may take, on a machine with other work. `shared`
    lets faults break one installation in turn.
    """

    faults: Sequence[str] = ()
    rounds: int | None = None
    seed: int = 1
    clients: int | None = None
    seconds: float | None = None
    load: float | None = None
    before: str = "HEAD~1"
    patient: bool = True
    slack: float = 1.0
    shared: bool = False


class Rows(NamedTuple):
    """A table of results."""

    headings: Sequence[str]
    rows: Sequence[Sequence[object]]


@dataclass(slots=True)
class Report:
    """Tables, sentences, and findings; without findings everything held."""

    tables: list[Rows] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    findings: list[str] = field(default_factory=list)
