"""Dealing version 2: one deal for all tables of a round, and reshuffles as alike as what lies there allows."""

import hashlib
import hmac
import json
import random
from collections import Counter
from itertools import pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from events import commands as c
from events.chain.commitments import salt_key
from events.commands.dealing import Dealing
from events.domain_events import GameEnded, PileShuffled
from events.game.dealing import game_salt_key, log_salt_key, shuffle_key, shuffled_alike, stays_closed
from events.game.table import new_table
from events.log.codec import decode_event
from events.log.stored_chain import ChainBroken, check_chain
from events.rules import errors
from events.rules.catalogues.catalogue import shipped_catalogue
from events.rules.move import ARBITER, DEALER, HOST
from events.rules.table.state import GameState, Seat
from replay.verification.verify import verify_lines
from tests.support.recorded_games import RecordedGame
from tests.support.rounds import DEAL, SECRET, closed_table, opened
from tests.support.strategies import fifty_examples

KEY = bytes(range(32))
CLASSIC = shipped_catalogue("bohnanza-104")
TABLE = GameState(game="a", system="classic", options={"start_seat": 0}, seats=(Seat(), Seat()), dealing=DEAL)
PILES = st.lists(st.sampled_from("abcde"), max_size=30).map(tuple)


def test_the_specification_in_a_few_other_words() -> None:
    """Each card has a value of its own, and they lie by these values; the keys are bound to what the page says."""

    def hashed(key: bytes, message: str) -> bytes:
        return hmac.new(key, message.encode(), hashlib.sha256).digest()

    numbered = [("blue", 1), ("blue", 2), ("soy", 1)]
    by_value = sorted(
        numbered, key=lambda card: hashed(KEY, json.dumps(["draw/1", *card], separators=(",", ":")))
    )
    secret = bytes.fromhex(SECRET)

    assert shuffled_alike(KEY, "draw/1", ("blue", "soy", "blue")) == tuple(card for card, _ in by_value)
    assert shuffle_key(SECRET, TABLE) == hashed(
        secret, '{"dealing":2,"options":{"start_seat":0},"seed":"spring-1","system":"classic"}'
    )
    assert game_salt_key(SECRET, "a", DEAL) == hashed(secret, '{"dealing":2,"game":"a","purpose":"salt"}')
    assert game_salt_key(SECRET, "a", None) == salt_key(SECRET)


@fifty_examples
@given(PILES, st.binary(min_size=32, max_size=32), st.randoms())
def test_a_shuffle_is_a_permutation_whatever_lay_where(
    cards: tuple[str, ...], key: bytes, chance: random.Random
) -> None:
    """No card is lost or added, and how the pile lay before means nothing."""
    others = list(cards)
    chance.shuffle(others)

    order = shuffled_alike(key, "draw/1", cards)

    assert Counter(order) == Counter(cards)
    assert order == shuffled_alike(key, "draw/1", tuple(others))


@fifty_examples
@given(PILES, PILES, st.binary(min_size=32, max_size=32))
def test_what_two_piles_have_in_common_lies_alike(
    one: tuple[str, ...], other: tuple[str, ...], key: bytes
) -> None:
    """With the cards taken out that only one of them has, the last of their kind, both are the same pile."""
    common = tuple((Counter(one) & Counter(other)).elements())
    alike = shuffled_alike(key, "draw/2", common)

    for pile in (one, other):
        taken_out, left = Counter(pile) - Counter(common), list(shuffled_alike(key, "draw/2", pile))
        for card, times in taken_out.items():
            kept, values = Counter(common)[card], _values(key, "draw/2", card, Counter(pile)[card])
            places = [place for place, each in enumerate(left) if each == card]
            # Which of its kind lies where follows from the values; those beyond the common ones go.
            in_order = sorted(range(len(values)), key=values.__getitem__)
            gone = [place for place, number in zip(places, in_order, strict=True) if number >= kept]
            assert len(gone) == times
            left = [each for place, each in enumerate(left) if place not in gone]
        assert tuple(left) == alike


def _values(key: bytes, purpose: str, card: str, copies: int) -> list[bytes]:
    messages = (json.dumps([purpose, card, number], separators=(",", ":")) for number in range(1, copies + 1))
    return [hmac.digest(key, message.encode(), "sha256") for message in messages]


def test_every_order_of_four_cards_comes_up() -> None:
    """2400 shuffles: each of the 24 orders about a hundred times; chi-square, to one in a thousand."""
    counts = Counter(shuffled_alike(KEY, f"draw/{number}", tuple("abcd")) for number in range(2400))

    assert {*counts} == {*permutations("abcd")}
    assert sum((count - 100) ** 2 / 100 for count in counts.values()) < 49.7


def test_cards_that_are_alike_lie_as_evenly_as_others() -> None:
    """Of two kinds, two of each, the six orders come about equally often, over as many keys."""
    counts = Counter(
        shuffled_alike(number.to_bytes(32, "big"), "draw/1", tuple("aabb")) for number in range(1200)
    )

    assert len(counts) == 6
    assert sum((count - 200) ** 2 / 200 for count in counts.values()) < 20.5


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (replace(TABLE, game="b"), True),
        (replace(TABLE, seats=(Seat(name="Ann"), Seat(), Seat())), True),
        (replace(TABLE, system="extended"), False),
        (replace(TABLE, options={"start_seat": 1}), False),
        (replace(TABLE, dealing=Dealing(2, "spring-2")), False),
        (replace(TABLE, dealing=None, seats=(Seat(seed="spring-1"),)), False),
    ],
)
def test_a_deal_is_bound_to_the_round_and_to_nothing_of_one_table(other: GameState, *, same: bool) -> None:
    """Whoever sits where, and whichever game it is: the deal is the round's."""
    assert (shuffle_key(SECRET, other) == shuffle_key(SECRET, TABLE)) == same


def test_salts_are_bound_to_the_game() -> None:
    """Else a player at one table could open what was committed to at another; no key of version 1 is among them."""
    keys = [game_salt_key(SECRET, game, DEAL) for game in "ab"]

    assert len({*keys, salt_key(SECRET), shuffle_key(SECRET, TABLE)}) == 4


@pytest.mark.parametrize("system", ["classic", "ladybohn"])
def test_tables_of_a_round_are_dealt_alike(system: str) -> None:
    """First shuffle and starting seat are the same; nothing in the logs that is committed to looks the same."""
    one, other = (closed_table(f"table-{seed}", seed, system=system) for seed in (1, 2))
    first, second = (
        [each for each in map(decode_event, game.log) if isinstance(each, PileShuffled)]
        for game in (one, other)
    )

    assert first[0] == second[0]
    assert one.table.state.start_seat == other.table.state.start_seat
    assert one.table.state.commitment == other.table.state.commitment
    assert one.table.key != other.table.key
    assert len(first) > 1, "both have shuffled again"
    assert any(a.order != b.order for a, b in zip(first, second, strict=False)), (
        "they have played differently"
    )


def test_the_secret_stays_closed_until_it_is_asked_for() -> None:
    """The game has ended, its result is known, and the dealer is called; then the secret comes, and once only."""
    game = closed_table("table-1", 1)
    ended, called = game.log[-2:]

    assert isinstance(decode_event(ended), GameEnded)
    assert (called.type, game.table.state.status, stays_closed(game.table.state)) == (
        "dealer_called",
        "ended",
        True,
    )
    with pytest.raises(errors.GameOver):
        game.table.submit(0, c.Say("Well played"), ended.at + 1)
    finished = opened(game)
    assert [each.type for each in finished.log[len(game.log) :]] == ["secret_revealed"]
    assert (finished.table.state.status, finished.table.state.secret) == ("finished", SECRET)
    with pytest.raises(errors.NothingDue):
        finished.table.open_secret(ended.at + 2)
    with pytest.raises(errors.WrongSecret):
        game.table.submit(DEALER, c.RevealSecret("ab" * 32), ended.at + 1)


def test_the_secret_of_a_game_that_goes_on_cannot_be_opened() -> None:
    """It is not due."""
    running = closed_table("table-1", 1, stop_at=80)

    with pytest.raises(errors.NothingDue):
        running.table.open_secret(running.log[-1].at + 1)


def test_versions_of_one_log_follow_each_other() -> None:
    """Also where the secret is opened long after the end."""
    log = opened(closed_table("table-1", 1)).log

    assert all(later.version == earlier.version + 1 for earlier, later in pairwise(log))


@pytest.mark.parametrize("dealing", [DEAL, None])
def test_the_salts_of_a_stored_game_follow_from_its_first_entry(dealing: Dealing | None) -> None:
    """So that a chain can be computed again from the store, whichever way the game was dealt."""
    game = closed_table("table-1", 1, dealing=dealing)
    first = game.log[0]

    assert log_salt_key(first, SECRET) == game.table.key
    check_chain(game.log, log_salt_key(first, SECRET))
    with pytest.raises(ChainBroken):
        check_chain(game.log, game_salt_key(SECRET, "another", DEAL))
    assert log_salt_key(replace(first, data=b"{"), SECRET) == salt_key(SECRET)
    assert log_salt_key(game.log[1], SECRET) == salt_key(SECRET)


@pytest.mark.parametrize("why", ["annulled", "abandoned", "called_off", "never_begun"])
def test_a_game_that_ends_before_its_time_keeps_the_secret_closed_too(why: str) -> None:
    """Others may still play the same deal, whatever has ended this table."""
    game = closed_table("table-1", 1, stop_at=1 if why == "never_begun" else 80, bot=False)
    table, log = game.table, list(game.log)
    if why == "never_begun":
        table, log = new_table(
            "table-1", "classic", 3, options={}, catalogue=CLASSIC, secret=SECRET, at=1, dealing=DEAL
        )
    steps: dict[str, list[tuple[int, c.Command]]] = {
        "annulled": [
            (ARBITER, c.PauseGame(1, "collusion")),
            (ARBITER, c.RuleGame(1, "annulled", "Ada", "all of it", "They told each other.")),
        ],
        "abandoned": [(seat, c.Resign()) for seat in range(4)],
        "called_off": [(0, c.OfferEnd("called_off")), *((seat, c.AcceptEnd()) for seat in (1, 2, 3))],
        "never_begun": [(HOST, c.CloseGame("never_begun"))],
    }
    for actor, command in steps[why]:
        table, entries = table.submit(actor, command, log[-1].at + 1)
        log += entries

    assert table.state.result is not None
    assert (table.state.result.reason, table.state.status) == (why, "ended")
    assert stays_closed(table.state)
    assert SECRET not in b"".join(entry.data for entry in log).decode()
    assert verify_lines(RecordedGame(table, tuple(log)).record()).ok
    finished, more = table.open_secret(log[-1].at + 1)
    assert verify_lines(RecordedGame(finished, (*log, *more)).record()).ok
