"""Fair dealing: golden vectors, even choices, and what a deal is bound to."""

import hashlib
import hmac
from collections import Counter
from itertools import islice, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from events import commands as c
from events.game.dealing import below, commitment_to, dealers_command, numbers, shuffle_key, shuffled
from events.rules.table.state import INITIAL_STATE, Due, GameState, Seat
from tests.support.strategies import fifty_examples
from tests.support.tables import SECRET, classic_rules, new_game

KEY = bytes(range(32))
LETTERS = tuple("abcdefghij")
TABLE = GameState(
    system="classic",
    options={"start_seat": 0, "bean_protection": "lenient"},
    seats=(Seat(seed="a"), Seat(), Seat(seed="c")),
)


def test_golden_vectors() -> None:
    """For whoever writes a verifier in another language."""
    assert [*islice(numbers(KEY, "draw/1"), 10)] == [
        2735076401, 4235263799, 2623233494, 3863599625, 1164014898,
        2162084074, 2678903628, 3777685674, 2494947173, 1814126245,
    ]  # fmt: skip
    assert "".join(shuffled(KEY, "draw/1", LETTERS)) == "cjdihaegfb"
    assert "".join(shuffled(KEY, "draw/2", LETTERS)) == "aidefjghbc"
    assert "".join(shuffled(KEY, "start_seat", LETTERS)) == "jbicgdhfea"
    assert commitment_to(SECRET) == "f9fa5c699354e46a448f75765ae99bf06741d541ab6c337c0f3722850adbb136"
    assert (
        shuffle_key(SECRET, TABLE).hex() == "1326f66b0d1a05e5433892202eb4c7beaf65bda004b5c155c8a214d4c7909dde"
    )


def test_the_specification_in_a_few_other_words() -> None:
    """A counter stream of HMAC blocks, read four bytes at a time."""
    blocks = b"".join(
        hmac.new(KEY, b"draw/1\x00" + bytes(7) + bytes([block]), hashlib.sha256).digest()
        for block in range(2)
    )
    assert [*islice(numbers(KEY, "draw/1"), 16)] == [
        int.from_bytes(blocks[place : place + 4], "big") for place in range(0, 64, 4)
    ]
    bound = (
        b'{"options":{"bean_protection":"lenient","start_seat":0},"seeds":["a","","c"],"system":"classic"}'
    )
    assert shuffle_key(SECRET, TABLE) == hmac.new(bytes.fromhex(SECRET), bound, hashlib.sha256).digest()


def test_numbers_that_would_favour_some_choices_are_rejected() -> None:
    """The stream's numbers from the largest multiple of the bound on are skipped."""
    top = 2**32
    assert below(iter([top - 1, top - 2, 7]), 3) == (top - 2) % 3
    assert below(iter([top - 1, 7]), 3) == 7 % 3, "2^32 = 1 modulo 3: the last number is one too many"
    assert below(iter([top - 1]), 2) == 1
    assert below(iter([top - 6, top - 5, 5]), 10) == 5, "2^32 = 6 modulo 10: the last six are too many"
    assert below(iter([top - 7]), 10) == 9
    assert below(iter([0]), 1) == 0


@pytest.mark.parametrize("bound", [2, 3, 7, 104])
def test_choices_are_even(bound: int) -> None:
    """Over many numbers every choice comes about equally often: within five standard deviations."""
    stream, draws = numbers(KEY, f"even {bound}"), 200 * bound
    counts = Counter(below(stream, bound) for _ in range(draws))
    assert {*counts} == {*range(bound)}
    assert all(abs(count - 200) < 5 * 200**0.5 for count in counts.values())


def test_every_order_of_four_cards_comes_up() -> None:
    """2400 shuffles: each of the 24 orders about a hundred times."""
    counts = Counter(shuffled(KEY, f"draw/{number}", tuple("abcd")) for number in range(2400))
    assert {*counts} == {*permutations("abcd")}
    assert all(abs(count - 100) < 50 for count in counts.values())


@fifty_examples
@given(st.lists(st.sampled_from("abcde"), max_size=30).map(tuple), st.binary(min_size=32, max_size=32))
def test_a_shuffle_is_a_permutation(cards: tuple[str, ...], key: bytes) -> None:
    """No card is lost or added, and the same key and purpose give the same order."""
    assert Counter(shuffled(key, "draw/1", cards)) == Counter(cards)
    assert shuffled(key, "draw/1", cards) == shuffled(key, "draw/1", cards)


@pytest.mark.parametrize(
    "other",
    [
        replace(TABLE, system="extended"),
        replace(TABLE, options={"start_seat": 1, "bean_protection": "lenient"}),
        replace(TABLE, options={"start_seat": 0, "bean_protection": "strict"}),
        replace(TABLE, seats=(Seat(seed="a"), Seat(), Seat(seed="d"))),
        replace(TABLE, seats=(Seat(), Seat(seed="a"), Seat(seed="c"))),
        replace(TABLE, seats=(Seat(seed="a"), Seat(), Seat(seed="c"), Seat())),
    ],
)
def test_a_deal_is_bound_to_system_options_and_seeds(other: GameState) -> None:
    """A server cannot keep one good shuffle for tables that differ in any of them."""
    assert shuffle_key(SECRET, other) != shuffle_key(SECRET, TABLE)
    assert shuffle_key("00" * 32, TABLE) != shuffle_key(SECRET, TABLE)


def test_names_do_not_move_a_deal() -> None:
    """Only what is listed counts."""
    named = replace(TABLE, game="other", seats=tuple(replace(seat, name="Ann") for seat in TABLE.seats))
    assert shuffle_key(SECRET, named) == shuffle_key(SECRET, TABLE)


def test_the_dealer_does_what_is_due() -> None:
    """Each task has its command; the purpose counts the shuffles of the pile."""
    table, _ = new_game()
    rules, key = classic_rules(), shuffle_key(SECRET, table.state)
    dealing = replace(table.state, shuffles=0, due=Due("shuffle", "draw", "deal"))
    assert dealers_command(rules, dealing, SECRET) == c.Shuffle("draw", shuffled(key, "draw/1", rules.deck))
    refilling = replace(
        table.state, shuffles=2, discard_pile=LETTERS, due=Due("shuffle", "draw", "reveal", 0, 1)
    )
    assert dealers_command(rules, refilling, SECRET) == c.Shuffle("draw", shuffled(key, "draw/3", LETTERS))
    starting = replace(table.state, due=Due("starting_seat"))
    drawn = below(numbers(key, "start_seat"), 3)
    assert dealers_command(rules, starting, SECRET) == c.ChooseStartingSeat(drawn)
    assert dealers_command(rules, replace(table.state, due=Due("secret")), SECRET) == c.RevealSecret(SECRET)
    with pytest.raises(ValueError, match="nothing is due"):
        dealers_command(rules, INITIAL_STATE, SECRET)
