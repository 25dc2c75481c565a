"""Comparing pairs: who is found, who is not, and that a screen is the same every time."""

import random

import pytest
from msgspec.structs import replace

from replay.across.screening.comparing import screen
from replay.across.screening.comparing.excess import Excess
from replay.across.screening.comparing.measures import GIFTS, MEASURES, REFUSALS, TOGETHER
from replay.across.screening.comparing.meetings import meetings_in
from replay.across.screening.comparing.screen import compare
from replay.across.screening.figures.game import GIFT, OTHER, TRADE, Moment, ScreenedGame, Square
from tests.replay.across.screening.made_up_games import made_up_games

PAIR = ("p0", "p1")
DRAWS = 199


def test_two_who_give_each_other_more_are_found_first() -> None:
    """By their gifts, with an effect near what they did, and nobody else with them."""
    found = compare(made_up_games(60, "a", favour=0.6), draws=DRAWS)

    assert [pair.names for pair in found.standing_out] == [PAIR]
    assert found.pairs[0].names == PAIR
    gifts = next(each for each in found.pairs[0].found if each.measure == GIFTS)
    assert gifts.corrected == 1 / (DRAWS + 1)
    assert gifts.interval[0] < 1.2 < gifts.interval[1]


@pytest.mark.parametrize("skill", [{}, {"p0": 3.0, "p1": 3.0}, {"p0": -3.0, "p1": 3.0, "p2": 3.0}])
def test_honest_players_stand_out_no_more_often_than_promised(skill: dict[str, float]) -> None:
    """Also where some trade and win more than others: of 40 screens more than 5 would be unlikely at 5 %.

    At exactly 5 % it happens to one such family of 40 in 70.
    """
    accused = sum(
        bool(compare(made_up_games(30, f"h{number}", skill=skill), draws=99, seed=str(number)).standing_out)
        for number in range(40)
    )

    assert accused <= 5


def test_two_who_win_together_what_they_do_not_win_apart_are_found() -> None:
    """By what they earned, where nothing else of them shows."""
    chance = random.Random("together")
    games = []
    for game in made_up_games(80, "t", players=5):
        both = {*PAIR} <= {*game.players}
        more = [3.0 * (both and name in PAIR) + chance.gauss(0, 0.1) for name in game.players]
        mean = sum(more) / len(more)
        results = tuple(own + each - mean for own, each in zip(game.results, more, strict=True))
        games.append(replace(game, results=results))
    found = compare(games, draws=DRAWS)

    assert found.standing_out[0].names == PAIR
    standing = [each.measure for each in found.standing_out[0].found if each.corrected <= found.rate]
    assert standing == [TOGETHER]


def test_two_who_turn_down_less_from_each_other_are_found() -> None:
    """Of what others turn down as of old; those who turn down more are not."""

    def screened(turned_down: float) -> tuple[tuple[str, str], ...]:
        games = [
            replace(
                game,
                refusals=tuple(
                    tuple(
                        figure * (turned_down if {name, partner} == {*PAIR} else 1.0)
                        for partner, figure in zip(game.players, row, strict=True)
                    )
                    for name, row in zip(game.players, game.refusals, strict=True)
                ),
            )
            for game in made_up_games(80, "r")
        ]
        found = compare(games, draws=DRAWS)
        return tuple(
            pair.names
            for pair in found.standing_out
            for each in pair.found
            if each.measure == REFUSALS and each.corrected <= found.rate
        )

    assert screened(0.0) == (PAIR,)
    assert PAIR not in screened(3.0)


def test_who_always_sits_beside_another_does_not_stand_out_by_what_neighbours_do() -> None:
    """A neighbour is asked first: what all neighbours give each other more says nothing about two of them."""
    games = []
    for game in made_up_games(80, "d"):
        others = [name for name in game.players if name not in PAIR]
        both = len(others) == len(game.players) - 2
        gifts = tuple(
            tuple(figure + 1.5 * ((one - other) % 4 in {1, 3}) for other, figure in enumerate(row))
            for one, row in enumerate(game.gifts)
        )
        players = (*PAIR, *others) if both else game.players
        games.append(replace(game, players=players, gifts=gifts, table=game.trades))
    found = compare(games, draws=DRAWS)

    assert {*PAIR} in [{*pair.names} for pair in found.pairs]
    assert not found.standing_out


def test_moments_of_the_measure_that_stands_out_come_first() -> None:
    """Then those by which more was done, and never more than two of one game."""
    games = [replace(game, moments=(), table=game.trades) for game in made_up_games(60, "a", favour=0.6)]
    both = [place for place, game in enumerate(games) if {*PAIR} <= {*game.players}]
    for place, gifts in zip(both, ((2, 3, 4), ()), strict=False):
        one, other = map(games[place].players.index, PAIR)
        moments = [Moment(at, GIFT, (one, other), at / 10, 0.0) for at in gifts]
        trade = Moment(1, TRADE, (one, other), 9.0, 0.0)
        games[place] = replace(games[place], moments=(trade, *moments))

    pair = compare(games, draws=DRAWS).pairs[0]

    assert [(seen.game, seen.moment.version) for seen in pair.moments] == [
        (games[both[0]].game, 4),
        (games[both[0]].game, 3),
        (games[both[1]].game, 1),
    ]


@pytest.mark.parametrize("seed", range(5))
def test_moments_that_are_forgotten_on_the_way_would_not_be_shown(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever measure tells most, and however many moments of a game stand back for others of it."""
    chance = random.Random(seed)

    def moment() -> Moment:
        kind = chance.choices((GIFT, TRADE, OTHER), (1, seed, 4))[0]
        one, other = chance.sample(range(3), 2)
        return Moment(chance.randrange(99), kind, (one, other), float(chance.randrange(9)), 0.0)

    games = [
        replace(game, moments=tuple(moment() for _ in range(chance.choice((1, 30)))))
        for game in made_up_games(60, "m", favour=chance.choice((0.0, 0.6)))
    ]
    monkeypatch.setattr(screen, "_MOST_COLLECTED", 10**9)
    usual = compare(games, draws=DRAWS)
    monkeypatch.setattr(screen, "_MOST_COLLECTED", 3)
    assert compare(games, draws=DRAWS) == usual


def test_the_same_games_in_any_order_give_the_same_screen() -> None:
    """To the last digit; another seed gives other draws."""
    games = made_up_games(40, "o", favour=0.3)
    shuffled = random.Random(1).sample(games, len(games))

    assert compare(shuffled, draws=DRAWS) == compare(games, draws=DRAWS)
    assert compare(games, draws=DRAWS, seed="2").pairs != compare(games, draws=DRAWS).pairs


def test_pairs_who_met_seldom_are_counted_and_not_compared() -> None:
    """With few games nothing could be told of them."""
    games = made_up_games(20, "s", players=12)
    found = compare(games, draws=DRAWS, together=4)

    met = {
        tuple(sorted((one, other)))
        for game in games
        for one in game.players
        for other in game.players
        if one < other
    }
    assert len(found.pairs) + found.seldom == len(met)
    assert found.pairs
    assert all(pair.games >= 4 for pair in found.pairs)


def test_two_who_never_play_apart_are_not_compared_with_their_games_apart() -> None:
    """There are none; the other measures are left."""
    games = [game for game in made_up_games(60, "n", players=5) if len({*PAIR} & {*game.players}) != 1]
    found = compare(games, draws=DRAWS)

    pair = next(each for each in found.pairs if each.names == PAIR)
    assert [each.measure for each in pair.found] == [each for each in MEASURES if each != TOGETHER]


def test_without_games_nothing_is_compared() -> None:
    """And nothing fails."""
    assert compare([]).pairs == ()
    assert compare([]).why_nothing_compared == "every game was left out"


def test_at_tables_of_two_there_is_nobody_to_compare_with() -> None:
    """Two who meet only each other."""
    found = compare(made_up_games(6, "two", players=2, seats=2), draws=DRAWS)

    assert (len(found.pairs), found.tests) == (1, 0)
    assert found.why_nothing_compared == "whoever met so often has played with nobody else"


def test_a_rate_below_what_the_draws_can_give_is_refused() -> None:
    """Of 199 draws no p-value is below one in 200."""
    games = made_up_games(60, "a", favour=0.6)

    assert compare(games, draws=DRAWS, rate=1 / 200).standing_out
    with pytest.raises(ValueError, match=r"a rate of 0\.004 is too low"):
        compare(games, draws=DRAWS, rate=0.004)


def test_habits_are_taken_off_and_an_understanding_is_left() -> None:
    """Figures that are sums of what each is used to leave nothing; what two have besides is left whole."""
    games = [
        replace(game, gifts=_gifts_by_habit(game, more=1.0), results=(0.0,) * len(game.players))
        for game in made_up_games(60, "e")
    ]
    meetings = meetings_in(games)
    excess = Excess(meetings, 5)
    counted = excess.count(sitting.players for sitting in meetings.sittings)

    for test, figure in zip(excess.tests, counted, strict=True):
        names = tuple(meetings.names[number] for number in meetings.pairs[test.pair])
        if test.measure == GIFTS and names == PAIR:
            assert figure == pytest.approx(2.0, abs=0.4)
        elif test.measure == GIFTS:
            assert figure < 0.7
        elif test.measure == TOGETHER:
            assert figure == pytest.approx(0, abs=1e-6)


def _gifts_by_habit(game: ScreenedGame, more: float) -> Square:
    habit = [int(name[1:]) for name in game.players]
    both = {*PAIR} <= {*game.players}
    return tuple(
        tuple(
            0.0 if one == other else habit[one] + habit[other] + more * (both and {name, partner} == {*PAIR})
            for other, partner in enumerate(game.players)
        )
        for one, name in enumerate(game.players)
    )
