"""Laws of going back, over random games of every system that are paused, ruled on, rewound and taken back.

Nothing is ever taken out of the log: what counts is the way from the present table back to the beginning.
"""

from functools import cache

import pytest

from events.domain_events import CardsDrawn, CardsRevealed, GameRewound, PileShuffled
from events.game.folding import Folding
from events.game.table import open_table
from events.log.codec import decode_event
from events.log.disclosure import ALL, PUBLIC
from events.rules.catalogues.catalogue import installed_catalogue
from events.rules.table.addition import BONUS_PILE, DRAW_PILE
from events.rules.table.state import INITIAL_STATE, GameState
from replay.verification.audit import audit_lines
from replay.verification.verify import verify_lines
from tests.laws.games import TABLES
from tests.support.depth import depth
from tests.support.disputed_games import DisputedGame, disputed_game

FEWEST = list({system: (system, players) for system, players in reversed(TABLES)}.values())
"""Every system with as few players as it takes."""
GAMES = depth(FEWEST, TABLES)

game_of = cache(disputed_game)


def tables_of(game: DisputedGame) -> list[GameState]:
    """The table at each version, from 0."""
    folding = Folding()
    after = (folding.follow(decode_event(entry), begins=bool(entry.command)) for entry in game.log)
    return [INITIAL_STATE, *after]


@pytest.mark.deep
@pytest.mark.parametrize(("system", "players"), GAMES)
def test_the_table_after_going_back_is_that_of_the_version(system: str, players: int) -> None:
    """But for the order of the piles of which cards were seen, and the count of shuffles."""
    game = game_of("back", system, players)
    tables = tables_of(game)
    assert game.rewindings
    for version in game.rewindings:
        event = decode_event(game.log[version - 1])
        assert isinstance(event, GameRewound)
        then, now = tables[event.to_version], tables[version + len(event.redeal) * 2]
        assert now.seats == then.seats
        assert (now.phase, now.active, now.turn, now.revealed) == (
            then.phase,
            then.active,
            then.turn,
            then.revealed,
        )
        assert (now.discard_pile, now.offers, now.exhaustions) == (
            then.discard_pile,
            then.offers,
            then.exhaustions,
        )
        assert sorted(now.draw_pile) == sorted(then.draw_pile)
        if DRAW_PILE not in event.redeal:
            assert now.draw_pile == then.draw_pile
        if then.duel is not None and now.duel is not None:
            assert (now.duel.seats, now.duel.gifts, now.duel.discards) == (
                then.duel.seats,
                then.duel.gifts,
                then.duel.discards,
            )
            assert sorted(now.duel.pile) == sorted(then.duel.pile)
            if BONUS_PILE not in event.redeal:
                assert now.duel.pile == then.duel.pile


@pytest.mark.deep
@pytest.mark.parametrize(("system", "players"), GAMES)
def test_no_shuffle_comes_twice(system: str, players: int) -> None:
    """The purpose of a shuffle names pile and number: the same one twice would deal what somebody has seen."""
    shuffles = [
        decode_event(entry) for entry in game_of("back", system, players).log if entry.type == "pile_shuffled"
    ]
    purposes = [(each.pile, each.number) for each in shuffles if isinstance(each, PileShuffled)]
    assert len(set(purposes)) == len(purposes)


@pytest.mark.deep
@pytest.mark.parametrize(("system", "players"), GAMES)
def test_cards_seen_in_a_discarded_stretch_are_dealt_anew(system: str, players: int) -> None:
    """Where cards left a pile after the version gone back to, that pile is shuffled anew."""
    game = game_of("back", system, players)
    tables = tables_of(game)
    for version in game.rewindings:
        event = decode_event(game.log[version - 1])
        assert isinstance(event, GameRewound)
        stretch = [decode_event(entry) for entry in game.log[event.to_version : version - 1]]
        drawn = any(isinstance(each, CardsDrawn | CardsRevealed) and each.cards for each in stretch)
        if drawn and tables[event.to_version].draw_pile:
            assert DRAW_PILE in event.redeal


@pytest.mark.deep
@pytest.mark.parametrize(("system", "players"), GAMES)
def test_a_record_with_rewindings_verifies_in_every_scope(system: str, players: int) -> None:
    """The auditor sees every entry, discarded or not, and recomputes each shuffle."""
    game = game_of("back", system, players)
    for viewer in (ALL, PUBLIC, *range(players)):
        report = verify_lines(game.lines(viewer))
        assert report.findings == ()
        assert (report.status, report.entries) == ("finished", len(game.log))
    audited = audit_lines(game.lines())
    assert audited.ok, audited


@pytest.mark.deep
@pytest.mark.parametrize(("system", "players"), GAMES)
def test_a_stored_game_with_rewindings_opens_as_it_was_played(system: str, players: int) -> None:
    """The log is the game."""
    game = game_of("back", system, players)
    assert open_table(game.log, game.table.secret, installed_catalogue) == game.table
