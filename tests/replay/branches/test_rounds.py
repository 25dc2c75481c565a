"""Branches of a duplicate round's games: the recorded deck where the same cards lie, and secrets that stay closed."""

import pytest
from msgspec.structs import replace

from events import commands as c
from events.domain_events import PileShuffled
from events.log.actors import actor_number
from events.log.codec import decode_command, decode_event
from events.rules.table.state import Due
from replay.branches import MoveRefused, Recorded, find_origin, new_branch, play_bots
from replay.branches.chance import FRESH, NONE, RECORDED, dealers_answer
from replay.branches.origin import Origin
from tests.support.recorded_games import RecordedGame
from tests.support.rounds import closed_table, opened


def origin_of(game: RecordedGame, version: int) -> Origin:
    """Where a branch parts from a game."""
    log = (
        Recorded(
            entry.version,
            entry.hash,
            actor_number(entry.actor),
            decode_event(entry),
            decode_command(entry.command) if entry.command else None,
        )
        for entry in game.log
    )
    return find_origin(game.table.rules, log, version)


def test_the_same_cards_in_another_order_are_laid_as_recorded() -> None:
    """How they lay before means nothing to this dealer; one card more or less does."""
    game = opened(closed_table("table-1", 1))
    at = [entry.version for entry in game.log if isinstance(decode_event(entry), PileShuffled)][1]
    origin = origin_of(game, at - 40)
    recorded = origin.shuffles["draw", 2]
    due = replace(origin.state, due=Due("shuffle", "draw", "draw", 0, 1))

    turned = replace(due, discard_pile=recorded.cards[::-1])
    fewer = replace(due, discard_pile=recorded.cards[1:])

    assert recorded.cards != recorded.cards[::-1]
    assert dealers_answer(origin, turned, b"") == (c.Shuffle("draw", recorded.order), RECORDED)
    assert dealers_answer(origin, replace(turned, dealing=None), b"")[1] == FRESH  # type: ignore[index]
    assert dealers_answer(origin, fewer, b"")[1] == FRESH  # type: ignore[index]


def test_one_can_branch_off_while_the_secret_is_closed() -> None:
    """From the middle to an end that stays closed, and from the end, where nothing more can be done."""
    game = closed_table("table-1", 1)
    branch = play_bots(new_branch(origin_of(game, len(game.log) // 2)), ["random"]).branch

    assert branch.position.state.status == "ended"
    assert dealers_answer(branch.origin, branch.position.state, b"") is None
    end = new_branch(origin_of(game, len(game.log)))
    assert end.position.state.status == "ended"
    with pytest.raises(MoveRefused):
        end.play(0, c.Say("Well played"))


def test_an_open_secret_ends_a_branch_that_follows_the_game() -> None:
    """As the recorded game had it."""
    game = opened(closed_table("table-1", 1))
    origin = origin_of(game, len(game.log) // 2)
    ended = replace(game.table.state, status="ended", due=Due("secret"))

    assert dealers_answer(origin, ended, b"") == (c.RevealSecret(game.table.secret), NONE)
