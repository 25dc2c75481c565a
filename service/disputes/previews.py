"""What a ruling would change, said before it is given: nothing is written, and nobody learns a card by it."""

import secrets
from dataclasses import dataclass
from typing import Any, Final

from events.disputes.state import REWOUND, Case, Ruling
from events.game.table import Table
from events.log.disclosure import PUBLIC
from events.rules.interventions.rewinding import what_was_seen
from events.rules.table.player_view import player_view
from events.rules.table.seen import find_seen, piles_touched
from events.store.event_store import EventStore
from replay.branches import encode_token, find_origin, new_branch
from replay.branches.saved.recordings import logged_game
from replay.commentary import Commentary
from replay.commentary.messages import DEFAULT
from service.disputes.effects import describe_rewinding, describe_ruling
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

    def of(self, case: Case, loaded: LoadedGame, language: str = DEFAULT) -> Preview:
        """What the last ruling of a case would change in its game, told in a language.

        Raises:
            ValueError: there is none.
        """
        ruling = case.ruling
        if ruling is None:
            raise ValueError("there is no ruling to foresee")
        tell, state = Commentary(loaded.table.rules.catalogue, language), loaded.table.state
        if ruling.kind == REWOUND and ruling.to_version is not None:
            return self._rewound(ruling, ruling.to_version, loaded, tell)
        effects = describe_ruling(tell, state, ruling)
        return Preview(ruling.kind, effects, None, [], [], player_view(state, PUBLIC))

    def _rewound(self, ruling: Ruling, version: int, loaded: LoadedGame, tell: Commentary) -> Preview:
        table = loaded.table
        earlier = self._tables.earlier(loaded)(version)
        if earlier is None:
            raise ValueError(f"the game cannot go back to version {version}")
        seen, redeal = find_seen(earlier, table.state), piles_touched(earlier, table.state)
        return Preview(
            kind=ruling.kind,
            effects=describe_rewinding(tell, earlier, version, table.version, redeal),
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
