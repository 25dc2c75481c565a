"""Reading games: what a decision did to whom, and which games say nothing."""

import dataclasses
import shutil
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from events import domain_events as e
from replay.across.left import Left
from replay.across.played_game import PlayedGame
from replay.across.reading import read_game
from replay.across.screening.figures.game import GIFT, TRADE, LeftOut, Moment, ScreenedGame, Unfit
from replay.across.screening.figures.observing import MOMENTS, choose_moments, observe
from replay.across.screening.figures.reading import TO_CHOOSE, read_games
from replay.across.screening.figures.value import ValueFunction
from replay.across.source import RecordFolder

LOGS = RecordFolder(Path(__file__).parents[3] / "logs")


def played(name: str) -> PlayedGame:
    """A recorded game."""
    found = read_game(LOGS, name, frozenset())
    assert isinstance(found, PlayedGame)
    return found


def recorded(system: str) -> Iterator[tuple[PlayedGame, ScreenedGame]]:
    """The recorded games of a system that say something."""
    for name in LOGS.names():
        if name.startswith(f"{system}/"):
            game = read_game(LOGS, name)
            if isinstance(game, PlayedGame) and isinstance(screened := observe(game), ScreenedGame):
                yield game, screened


@pytest.mark.parametrize("system", ["classic", "ladybohn-expansion"])
def test_what_trades_did_is_the_sum_of_what_each_did(system: str) -> None:
    """Each side decided what the other one had: counted once more, trade by trade, from the values around it."""
    games = [*recorded(system)]
    assert games
    for game, screened in games[:2]:
        worth = ValueFunction(game.rules)
        sums = defaultdict[tuple[str, int, int], float](float)
        for step in game.steps:
            if step.in_effect and isinstance(step.event, e.TradeMade):
                event = step.event
                kind = "trades" if event.active_cards and event.partner_cards else "gifts"
                for decided, had in ((event.active, event.partner), (event.partner, event.active)):
                    sums[kind, decided, had] += sum(
                        sign * worth.value(worth.holding(state, had))
                        for sign, state in ((1, step.after), (-1, step.before))
                    )
        for kind in ("trades", "gifts"):
            square = getattr(screened, kind)
            for decided, row in enumerate(square):
                for had, figure in enumerate(row):
                    assert figure == pytest.approx(sums[kind, decided, had], abs=1e-9)


def test_the_collusion_table_has_trades_and_gifts_in_it() -> None:
    """In `classic` nothing else that one does changes what another one has."""
    for _, screened in recorded("classic"):
        for one, row in enumerate(screened.table):
            for other, figure in enumerate(row):
                if one != other:
                    assert figure == pytest.approx(screened.trades[one][other] + screened.gifts[one][other])


def test_results_are_those_above_the_table() -> None:
    """In coins, adding up to nothing."""
    for game, screened in recorded("extended"):
        assert sum(screened.results) == pytest.approx(0, abs=1e-9)
        best = max(game.result.scores)
        assert max(screened.results) == pytest.approx(best - sum(game.result.scores) / game.players)


def test_refusals_are_coins_turned_down() -> None:
    """Never below nothing, and somebody turns down something."""
    refused = [each for _, game in recorded("classic") for row in game.refusals for each in row]

    assert min(refused) == 0
    assert max(refused) > 0


def test_the_same_record_gives_the_same_figures() -> None:
    """To the last digit."""
    name = "classic/five-players.ndjson"
    assert observe(played(name)) == observe(played(name))


def test_a_moment_names_a_version_at_which_something_was_given() -> None:
    """So that a person finds it."""
    for game, screened in recorded("classic"):
        for moment in screened.moments:
            event = game.entries[moment.version - 1].event
            assert isinstance(event, e.TradeMade)
            assert {event.active, event.partner} == {*moment.seats}
            assert (moment.kind == GIFT) == (not (event.active_cards and event.partner_cards))


def test_gifts_of_two_are_kept_however_much_they_traded() -> None:
    """Who stands out by gifts is shown gifts, though trades brought more; of each kind some are kept."""
    trades = [Moment(at, TRADE, (0, 1), 9.0 - at, 0.0) for at in range(5)]
    gifts = [Moment(10, GIFT, (1, 0), 0.1, 0.0), Moment(11, GIFT, (1, 2), 0.1, 0.0)]

    assert [*choose_moments([*gifts, *trades])] == [*trades[:MOMENTS], *gifts]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("bean-duel/two-players.ndjson.gz", Unfit.NO_THIRD_SEAT),
        ("classic/left.ndjson.gz", Unfit.ABANDONED),
        ("classic/ended-drawn.ndjson.gz", Unfit.CUT_SHORT),
        ("classic/ended-annulled.ndjson.gz", Unfit.ANNULLED),
        ("ladybohn/ended-replaced.ndjson.gz", Unfit.RULED),
    ],
)
def test_games_that_say_nothing_are_named_with_the_reason(name: str, reason: Unfit) -> None:
    """What may be chosen is counted where somebody asks for it."""
    left = observe(played(name))

    assert not isinstance(left, ScreenedGame)
    assert (left.source, left.reason) == (name, reason.value)
    chosen = observe(played(name), frozenset({reason}))
    assert isinstance(chosen, ScreenedGame) == (reason in TO_CHOOSE)


def test_an_annulled_game_is_counted_where_somebody_asks_for_it(tmp_path: Path) -> None:
    """By that one word, though annulling is a ruling, too."""
    shutil.copy(LOGS.path / "classic" / "ended-annulled.ndjson.gz", tmp_path)

    usual, left = read_games(RecordFolder(tmp_path), workers=1)
    assert ([*usual], [each.reason for each in left]) == ([], ["annulled"])
    games, left = read_games(RecordFolder(tmp_path), ["annulled"], workers=1)
    assert (len(games), left) == (1, [])


def test_a_game_is_counted_only_where_every_reason_is_included() -> None:
    """Whoever takes games in on which somebody ruled does not take those in that somebody left."""
    left = played("classic/left.ndjson.gz")
    game = dataclasses.replace(left, ruled="awarded")

    def reason(game: PlayedGame, *included: str) -> str:
        found = observe(game, frozenset(included))
        return found.reason if isinstance(found, LeftOut) else "counted"

    assert reason(game) == Unfit.RULED
    assert reason(game, "ruled") == Unfit.ABANDONED
    assert reason(game, "abandoned") == Unfit.RULED
    assert reason(game, "ruled", "abandoned") == "counted"
    assert reason(dataclasses.replace(left, ruled="annulled"), "ruled", "abandoned") == Unfit.ANNULLED


def test_when_a_game_ended_is_kept_where_a_clock_saw_it() -> None:
    """A simulated game counts commands from 0, and has no date."""
    dated = played("classic/three-players.ndjson")
    simulated = dataclasses.replace(
        dated, entries=(*dated.entries[:-1], replace(dated.entries[-1], at=4_000))
    )

    ended = [found.ended for each in (dated, simulated) if isinstance(found := observe(each), ScreenedGame)]

    assert ended == [dated.entries[-1].at, 0]


def test_a_game_that_somebody_left_says_nothing_though_they_came_back() -> None:
    """A bot decided in between."""
    game = played("classic/three-players.ndjson")
    first, *others = game.end.seats
    end = replace(game.end, seats=(replace(first, returns=1), *others))
    back = dataclasses.replace(game, entries=(*game.entries[:-1], replace(game.entries[-1], state=end)))

    left = observe(back)

    assert isinstance(left, LeftOut)
    assert (left.reason, left.detail) == (Unfit.ABANDONED, "by seat 0")


def test_every_game_of_a_folder_is_counted_or_named() -> None:
    """None is missing, whatever is wrong with it."""
    source = RecordFolder(LOGS.path / "classic")
    told: list[int] = []
    games, left = read_games(source, workers=1, told=told.append)

    names = [*source.names()]
    assert sorted([*(game.source for game in games), *(each.source for each in left)]) == sorted(names)
    assert {"not_whole", "annulled", "contradicts"} <= {each.reason for each in left}
    assert told == [*range(1, len(names) + 1)]
    assert not isinstance(left[0], Left)
