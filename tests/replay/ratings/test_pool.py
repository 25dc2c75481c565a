"""What one game makes of figures: ties, seats, who has left, and whoever sits at several seats."""

import math
import random
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from events.commands.clock import PRESETS
from replay.ratings.finished_game import FinishedGame, RatedSeat
from replay.ratings.inputs import Inputs, RuledAfter
from replay.ratings.model import FIRST, FIRST_OF_SEAT, Figure, rate
from replay.ratings.pool import Pool, PoolName, ranks
from replay.ratings.rating import rate_games
from replay.ratings.times import UNTIMED, pace_of

EVERYBODY = PoolName("classic", 1, "people")


def game(
    number: int, who: Sequence[str], scores: Sequence[int], won: Sequence[int] | None = None, **more: object
) -> FinishedGame:
    """A game of people in which seat 0 began."""
    winners = won if won is not None else [i for i, score in enumerate(scores) if score == max(scores)]
    seats = tuple(
        RatedSeat(each, place, scores[place], place in winners, away=False) for place, each in enumerate(who)
    )
    made = FinishedGame(
        f"game-{number}", 1000 * number, "classic", 1, "people", UNTIMED, equal=False, seats=seats
    )
    return replace(made, **more)


def games(count: int, seed: str = "1") -> list[FinishedGame]:
    """Games of four out of eight players, whose strength is their number."""
    chance = random.Random(seed)
    found = []
    for number in range(count):
        who = chance.sample([f"acme:{each}" for each in range(8)], 4)
        found.append(game(number, who, [int(each[-1]) + chance.randrange(12) for each in who]))
    return found


def test_joint_winners_gain_at_least_what_the_third_does() -> None:
    """Of ranks 0, 0, 1, 2, 3: where a model counts a tie as half a defeat the third gains more."""
    players, _ = rate([FIRST] * 5, [FIRST_OF_SEAT] * 5, [0, 0, 1, 2, 3])
    gains = [each.mu - FIRST.mu for each in players]
    assert gains[0] == gains[1] >= gains[2] > gains[3] > gains[4]
    assert gains[0] > 0 > gains[4]


def test_the_figures_of_a_game_are_these() -> None:
    """A change of them, by a release of the library for instance, is another version of ratings."""
    pool = Pool()
    pool.apply(game(1, ["a", "b", "c", "d"], [14, 12, 12, 7]))
    pool.apply(game(2, ["d", "a", "b", "c"], [9, 9, 13, 10]))
    assert {who: (*each.figure, each.games, each.wins) for who, each in pool.board()} == VECTOR
    assert [(place, *each.figure) for place, each in sorted(pool.seats.items())] == SEAT_VECTOR


VECTOR = {
    "b": (319_527, 68_545, 2, 1),
    "c": (273_212, 68_545, 2, 0),
    "a": (254_837, 69_334, 2, 1),
    "d": (152_424, 69_331, 2, 0),
}
SEAT_VECTOR = [("4/0", 72, 3_000), ("4/1", -119, 3_000), ("4/2", 111, 3_000), ("4/3", -65, 3_000)]


def test_a_game_moves_what_the_model_says() -> None:
    """Weng and Lin, JMLR 12 (2011), algorithm 1 for teams, computed here in another way."""
    players = [Figure(300_000, 40_000), Figure(220_000, 80_000), Figure(250_000, 60_000)]
    seats, ranked = [Figure(5_000, 9_000), Figure(0, 20_000), Figure(-8_000, 5_000)], [1, 0, 1]
    strengths = [(one.mu + other.mu) / 1e4 for one, other in zip(players, seats, strict=True)]
    own = [(each.sigma / 1e4) ** 2 + (25 / 300) ** 2 for each in players]
    spread = [mine + (each.sigma / 1e4) ** 2 for mine, each in zip(own, seats, strict=True)]
    found, _ = rate(players, seats, ranked)
    for i, player in enumerate(players):
        gain = less = 0.0
        for q in {0, 1, 2} - {i}:
            width = math.sqrt(spread[i] + spread[q] + 2 * (25 / 6) ** 2)
            expected = 1 / (1 + math.exp((strengths[q] - strengths[i]) / width))
            scored = 1.0 if ranked[i] < ranked[q] else 0.5 if ranked[i] == ranked[q] else 0.0
            gain += spread[i] / width * (scored - expected)
            less += math.sqrt(spread[i]) / width * spread[i] / width**2 * expected * (1 - expected)
        share = own[i] / spread[i]
        assert abs(found[i].mu - (player.mu + 1e4 * share * gain)) <= 1
        assert abs(found[i].sigma - 1e4 * math.sqrt(own[i] * (1 - share * less))) <= 1


def test_ranks_have_winners_first_and_whoever_left_last() -> None:
    """A tie that the rules have decided is none; those who left share the last rank, whatever their scores."""
    decided = game(1, "abcd", [12, 12, 9, 9], won=[1])
    assert ranks(decided) == [1, 0, 2, 2]
    left = replace(decided, seats=(replace(decided.seats[0], away=True), *decided.seats[1:]))
    assert ranks(left) == [2, 0, 1, 1]
    assert ranks(game(1, "abcd", [12, 3, 9, 9], won=[0, 1, 2, 3], equal=True)) == [0, 0, 0, 0]


def test_the_order_in_which_games_are_told_does_not_matter_and_each_can_be_added_alone() -> None:
    """Rated all at once, in whatever order, or one after the other from what is stored: the same figures."""
    all_games = games(60)
    whole = rate_games(all_games).pools
    assert rate_games(random.Random(2).sample(all_games, 60)).pools.keys() == whole.keys()
    shuffled = rate_games(random.Random(2).sample(all_games, 60)).pools[EVERYBODY]
    assert shuffled.board() == whole[EVERYBODY].board()
    pool = Pool()
    for each in all_games:
        pool = Pool(pool.standings, pool.seats)
        pool.apply(each)
    assert (pool.board(), pool.seats) == (whole[EVERYBODY].board(), whole[EVERYBODY].seats)


def test_the_better_are_found_to_be_better() -> None:
    """Eight players with strengths one point of score apart are in order after 400 games, but for neighbours."""
    pool = rate_games(games(400)).pools[EVERYBODY]
    found = [int(who[-1]) for who, _ in pool.board()]
    assert all(abs(each - (7 - place)) <= 2 for place, each in enumerate(found))


def test_what_a_seat_is_worth_is_measured_and_taken_off() -> None:
    """Where only the seat decides, places differ and players do not."""
    chance = random.Random("seats")
    names = [f"acme:{each}" for each in range(4)]
    played = [
        game(number, chance.sample(names, 4), [10 - place + chance.randrange(6) for place in range(4)])
        for number in range(300)
    ]
    pool = rate_games(played).pools[EVERYBODY]
    worth = [pool.seats[f"4/{place}"].figure.mu for place in range(4)]
    strengths = [each.figure.mu for _, each in pool.board()]
    assert worth == sorted(worth, reverse=True)
    assert worth[0] - worth[3] > max(strengths) - min(strengths)


@pytest.mark.parametrize("kind", ["annulled", "replaced"])
def test_a_ruling_on_an_old_game_changes_what_came_after_and_nothing_before(kind: str) -> None:
    """Every change up to the game is the same; from it on they differ."""
    all_games = games(40)
    ruled = Inputs(ruled={"game-20": RuledAfter(kind, (3,), (1, 2, 3, 40))})
    before, after = rate_games(all_games), rate_games(all_games, ruled)
    place = next(i for i, (_, each) in enumerate(before.changes) if each.game == "game-20")
    assert before.changes[:place] == after.changes[:place]
    assert before.changes[place:] != after.changes[place:]
    assert ("game-20" in after.uncounted) == (kind == "annulled")


def test_a_disputed_game_counts_once_its_case_has_ended() -> None:
    """Until then it is as if it had not been played."""
    all_games = games(10)
    open_case = rate_games(all_games, Inputs(disputed=("game-9",)))
    assert open_case.changes == rate_games(all_games[:9]).changes
    assert open_case.uncounted == {"game-9": "a case is open"}


def test_merged_players_are_one_as_if_they_had_always_been() -> None:
    """Along several merges; one who met the other in a game sat at two seats of it."""
    all_games = games(30)
    merged = Inputs(merged={"acme:0": "acme:1", "acme:1": "acme:2"})
    pool = rate_games(all_games, merged).pools[EVERYBODY]
    assert {"acme:0", "acme:1"}.isdisjoint(pool.standings)
    whose = {"acme:0", "acme:1", "acme:2"}
    met = sum(bool(whose & {seat.who for seat in each.seats}) for each in all_games)
    assert pool.standings["acme:2"].games == met


def test_whoever_sits_at_every_seat_shows_nothing() -> None:
    """The places are measured, the player stays what it was."""
    pool = Pool()
    (change,) = pool.apply(game(1, ["*greedy"] * 3, [12, 9, 7]))
    assert change.after == change.before == FIRST
    assert pool.seats["3/0"].figure.mu > 0 > pool.seats["3/2"].figure.mu


def test_a_rating_is_the_strength_less_three_sigma() -> None:
    """So that somebody new is at the bottom."""
    assert Figure(250_000, 83_333).rating == 1


def test_each_board_of_a_time_is_that_of_its_games_alone() -> None:
    """Of each pace, and of the month in which a game ended by UTC; a game that no clock saw has no month."""
    last_of_october, first_of_november = 1_793_491_199_999, 1_793_491_200_000
    paces = {name: pace_of(clock) for name, clock in (*PRESETS.items(), ("none", None))}
    assert paces == {"live": "live", "day_a_move": "slow", "week_a_game": "slow", "none": "untimed"}
    told = games(20)
    dated = [
        replace(
            each,
            pace=(*paces.values(),)[number % 4],
            ended=(last_of_october, first_of_november, 5)[number % 3],
        )
        for number, each in enumerate(told)
    ]
    found = rate_games(dated).pools
    alone = {
        "always": dated,
        **{pace: [each for each in dated if each.pace == pace] for pace in ("live", "slow", "untimed")},
        "2026-10": dated[0::3],
        "2026-11": dated[1::3],
    }
    assert {name.time for name in found} == alone.keys()
    for time, chosen in alone.items():
        pool = found[PoolName("classic", 1, "people", time)]
        apart = rate_games(chosen).pools[EVERYBODY]
        assert (pool.board(), pool.seats) == (apart.board(), apart.seats), time
        assert sum(each.games for _, each in pool.board()) == 4 * len(chosen)
