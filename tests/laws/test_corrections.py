"""A correction of the rules never rewrites a game: in every system what was played stays as it is, to the byte."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from events.game.table import open_table
from events.log.codec import decode_event
from events.rules.catalogues.catalogue import installed_catalogue
from events.rules.definition.rule_system import RuleSystem, Setup
from events.rules.evolving.evolve import evolve
from events.rules.systems.registry import ALL, BY_KEY
from events.rules.table.state import INITIAL_STATE, GameState
from replay.verification.audit import audit_lines
from replay.verification.verify import verify_lines
from tests.support.corrected_rules import registered
from tests.support.recorded_games import RecordedGame, recorded_game


def draws_one_more(system: RuleSystem) -> RuleSystem:
    """A version 2 that never was: phase 4 draws one card more."""

    def setup(players: int) -> Setup:
        found = system.setup(players)
        return replace(found, draw=found.draw + 1)

    return replace(system, version=2, setup=setup)


@pytest.fixture
def all_corrected() -> Iterator[None]:
    """Every rule system has a version 2, which is today's."""
    with registered(*ALL, *map(draws_one_more, ALL)):
        yield


def stored(key: str) -> RecordedGame:
    """A game that was played before."""
    return recorded_game(9, BY_KEY[key].players[-1], most_offers=12, system=key)


def states(game: RecordedGame) -> list[GameState]:
    """The table after each entry, folded anew."""
    state, found = INITIAL_STATE, []
    for entry in game.log:
        state = evolve(state, decode_event(entry))
        found.append(state)
    return found


def views(game: RecordedGame) -> dict[int, list[bytes]]:
    """The game's record for each viewer."""
    return {viewer: game.record(viewer) for viewer in game.scopes}


BEFORE = {key: (states(stored(key)), views(stored(key))) for key in BY_KEY}
"""The tables and the records of each game, by the rules of its day alone."""


@pytest.mark.usefixtures("all_corrected")
@pytest.mark.parametrize("key", BEFORE)
def test_a_stored_log_folds_to_the_same_tables_and_makes_the_same_records(key: str) -> None:
    """For every viewer; the game is still one of version 1."""
    game, (tables, records) = stored(key), BEFORE[key]

    opened = open_table(game.log, game.table.secret, installed_catalogue)

    assert opened.rules.system is BY_KEY[key]
    assert states(game) == tables
    assert opened.state == tables[-1]
    assert views(RecordedGame(opened, game.log)) == records


@pytest.mark.usefixtures("all_corrected")
@pytest.mark.parametrize("key", BEFORE)
def test_the_verdict_stays_valid_and_the_audit_lists_what_would_differ(key: str) -> None:
    """The pinned rules agree with every command; today's answer some otherwise, each named with its version."""
    record = stored(key).record()

    verified, audited = verify_lines(record), audit_lines(record)

    assert verified.ok
    assert audited.ok
    pinned, today = audited.engines
    assert (pinned.system_version, pinned.differing) == (1, 0)
    assert today.system_version == 2
    assert 0 < today.differing == len(today.differences) < today.commands
    assert all(each.reason.startswith("the rules ") for each in today.differences)
