"""What a ruling would change, said before it is given: nothing is written, and nobody learns a card by it."""

import secrets
from dataclasses import dataclass
from typing import Any, Final

from events.disputes.state import AWARDED, DISMISSED, REPLACED, REWOUND, Case, Ruling
from events.game.table import Table
from events.log.disclosure import PUBLIC
from events.rules.interventions.rewinding import what_was_seen
from events.rules.table.player_view import player_view
from events.rules.table.seen import find_seen, piles_touched
from events.rules.table.state import GameState
from events.store.event_store import EventStore
from replay.branches import encode_token, find_origin, new_branch
from replay.branches.saved.recordings import logged_game
from service.play.tables import LoadedGame, Tables

MOST_BRANCHED: Final = 4_096
"""Entries of a log that is read for a branch: every table after the version is kept."""


@dataclass(frozen=True, slots=True)
class Preview:
    """What a ruling would change.

    Attributes:
        kind: the kind of the ruling.
        effects: what it would do, a sentence each.
        discarded: the first and the last version that would not count any more; None where all go on counting.
        seen: where hidden cards have been seen since, as `rewinding.what_was_seen` says it.
        redeal: the piles that would be shuffled anew.
        table: the table after it, as everybody would see it.
        branch: the token of a branch in which to play on from there; empty where there is nothing to play, or the
            log is too long for one.
    """

    kind: str
    effects: list[str]
    discarded: tuple[int, int] | None
    seen: list[dict[str, Any]]
    redeal: list[str]
    table: dict[str, Any]
    branch: str = ""


class Previews:
    """Foresees rulings in the games of a store. Every method may raise what a store raises."""

    def __init__(self, store: EventStore, tables: Tables) -> None:
        """Read the logs of this store, whose tables these are."""
        self._store = store
        self._tables = tables

    def of(self, case: Case, loaded: LoadedGame) -> Preview:
        """What the last ruling of a case would change in its game.

        Raises:
            ValueError: there is none.
        """
        ruling = case.ruling
        if ruling is None:
            raise ValueError("there is no ruling to foresee")
        if ruling.kind == REWOUND and ruling.to_version is not None:
            return self._rewound(ruling, ruling.to_version, loaded)
        table = player_view(loaded.table.state, PUBLIC)
        running = loaded.table.state.status == "running"
        return Preview(ruling.kind, _describe(ruling, running=running), None, [], [], table)

    def _rewound(self, ruling: Ruling, version: int, loaded: LoadedGame) -> Preview:
        table = loaded.table
        earlier = self._tables.earlier(loaded)(version)
        if earlier is None:
            raise ValueError(f"the game cannot go back to version {version}")
        seen, redeal = find_seen(earlier, table.state), piles_touched(earlier, table.state)
        return Preview(
            kind=ruling.kind,
            effects=_going_back(version, table.version, earlier, redeal),
            discarded=(version + 1, table.version) if version < table.version else None,
            seen=list(what_was_seen(seen)),
            redeal=list(redeal),
            table=player_view(earlier, PUBLIC),
            branch=self._branch(table, version),
        )

    def _branch(self, table: Table, version: int) -> str:
        if table.version > MOST_BRANCHED:
            return ""
        log = logged_game(self._store.read(table.game, 0, table.version))
        return encode_token(new_branch(find_origin(table.rules, log, version), secrets.token_hex(8)))


def _going_back(version: int, head: int, earlier: GameState, redeal: tuple[str, ...]) -> list[str]:
    effects = [
        f"put the game back to version {version}: turn {earlier.turn}, seat {earlier.active}, phase {earlier.phase}",
        f"leave versions {version + 1} to {head} in the log, where they do not count any more",
    ]
    return effects + [f"shuffle anew what is left in the {pile} pile" for pile in redeal]


def _describe(ruling: Ruling, *, running: bool) -> list[str]:
    if ruling.kind == DISMISSED:
        return ["leave the game as it stands" + (", and let it go on" if running else "")]
    end = ["end the game now, and open the dealer's secret"] if running else ["leave the game's log as it is"]
    winners = ", ".join(f"seat {seat}" for seat in sorted(ruling.winners))
    if ruling.kind == AWARDED:
        return [*end, f"name as winners: {winners}"]
    if ruling.kind == REPLACED:
        scores = ", ".join(f"seat {seat}: {score}" for seat, score in enumerate(ruling.scores))
        return [*end, f"replace the scores by {scores}", f"name as winners: {winners}"]
    return [*end, "let the game count for nothing: nobody wins"]
