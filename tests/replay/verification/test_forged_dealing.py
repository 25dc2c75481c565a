"""A dealer who cheats, with everything linked anew: the opened secret gives it away."""

import hashlib

import pytest

import events.game.table
from events import commands as c
from events.chain.commitments import commit, salt_key
from events.game.dealing import dealers_command
from events.log.disclosure import ALL, PUBLIC, viewer_name
from events.rules.definition.rule_system import Rules
from events.rules.table.state import GameState
from tests.replay.verification.forging import (
    GAME,
    STRICT,
    Line,
    altered,
    entry_of,
    finding_in,
    parsed,
    resettled,
    version_of,
)
from tests.support.recorded_games import RecordedGame, recorded_game


def test_linking_anew_changes_nothing_in_a_genuine_record() -> None:
    """The forger's tools are sound: used without a change they give the same record."""
    assert resettled(parsed(GAME.record())) == GAME.record()


def rigged_game(monkeypatch: pytest.MonkeyPatch, task: str) -> RecordedGame:
    """A game whose dealer decided on one thing itself, and recorded everything else honestly."""

    def rigged(rules: Rules, state: GameState, secret: str) -> c.Command:
        honest = dealers_command(rules, state, secret)
        if task == "shuffle" and isinstance(honest, c.Shuffle) and state.shuffles == 1:
            return c.Shuffle(honest.pile, tuple(sorted(honest.order)))
        if task == "starting_seat" and isinstance(honest, c.ChooseStartingSeat):
            return c.ChooseStartingSeat((honest.seat + 1) % rules.players)
        return honest

    monkeypatch.setattr(events.game.table, "dealers_command", rigged)
    return recorded_game.__wrapped__(5, 4, STRICT, 12)


@pytest.mark.parametrize("viewer", [ALL, PUBLIC, 1], ids=viewer_name)
def test_a_rigged_shuffle_is_found(monkeypatch: pytest.MonkeyPatch, viewer: int) -> None:
    """A dealer that lays the pile as it likes is found out by everybody, when its secret is opened."""
    game = rigged_game(monkeypatch, "shuffle")
    second = [entry.version for entry in game.log if entry.type == "pile_shuffled"][1]

    assert finding_in(game.record(viewer)) == ("shuffles", second)


@pytest.mark.parametrize("viewer", [ALL, PUBLIC, 1], ids=viewer_name)
def test_a_rigged_starting_seat_is_found(monkeypatch: pytest.MonkeyPatch, viewer: int) -> None:
    """A dealer that chooses who starts, instead of drawing, is found out."""
    game = rigged_game(monkeypatch, "starting_seat")
    chosen = next(entry.version for entry in game.log if entry.type == "starting_seat_chosen")

    assert finding_in(game.record(viewer)) == ("shuffles", chosen)


@pytest.mark.parametrize("viewer", [ALL, 1], ids=viewer_name)
def test_salts_of_ones_own_making_are_found(monkeypatch: pytest.MonkeyPatch, viewer: int) -> None:
    """Salts that do not follow from the secret would let the dealer open a commitment in two ways."""
    monkeypatch.setattr(events.game.table, "game_salt_key", lambda secret, *_: salt_key(secret)[::-1])
    game = recorded_game.__wrapped__(5, 4, STRICT, 12)

    shuffled = next(entry.version for entry in game.log if entry.type == "pile_shuffled")

    expected = ("commitments", 1) if viewer == ALL else ("shuffles", shuffled)
    assert finding_in(game.record(viewer)) == expected


@pytest.mark.parametrize("viewer", [PUBLIC, 1], ids=viewer_name)
def test_a_card_dealt_past_the_pile_is_found(viewer: int) -> None:
    """A spectator sees no hand, yet notices that another card was committed to than the pile held."""

    def change(lines: list[Line]) -> None:
        dealt = next(
            line
            for line in lines[1:-1]
            if line["entry"]["type"] == "hand_dealt" and line["entry"]["data"]["seat"] == 2
        )
        dealt["entry"]["data"]["cards"][0] = {"commitment": commit("00" * 16, "garden")}

    check, _ = finding_in(altered(GAME.record(viewer), change))

    assert check == "shuffles"


@pytest.mark.parametrize("viewer", [ALL, PUBLIC], ids=viewer_name)
def test_another_secret_than_the_one_committed_to_is_found(viewer: int) -> None:
    """The dealer can't choose its secret afterwards."""

    def change(lines: list[Line]) -> None:
        revealed = entry_of(lines, "secret_revealed")["entry"]
        revealed["data"]["secret"] = revealed["command"]["secret"] = "ab" * 32

    expected = "rules" if viewer == ALL else "commitments"
    assert finding_in(altered(GAME.record(viewer), change)) == (expected, len(GAME.log))


def test_another_secret_with_its_commitment_is_found() -> None:
    """A new secret with a new commitment does not explain the shuffles."""

    def change(lines: list[Line]) -> None:
        revealed, created = entry_of(lines, "secret_revealed")["entry"], lines[1]["entry"]
        lines[0]["secret"] = revealed["data"]["secret"] = revealed["command"]["secret"] = "ab" * 32
        commitment = hashlib.sha256(bytes.fromhex("ab" * 32)).hexdigest()
        created["data"]["commitment"] = created["command"]["commitment"] = commitment

    assert finding_in(altered(GAME.record(), change))[0] == "commitments"
    assert finding_in(altered(GAME.record(PUBLIC), change))[0] == "shuffles"


def test_an_altered_deck_is_found() -> None:
    """Two cards of the first pile swapped, in event and command alike: the hands dealt then give it away."""

    def change(lines: list[Line]) -> None:
        shuffled = entry_of(lines, "pile_shuffled")["entry"]
        order = shuffled["data"]["order"]
        other = next(place for place, card in enumerate(order) if card != order[0])
        order[0], order[other] = order[other], order[0]
        shuffled["command"]["order"] = list(order)

    assert finding_in(altered(GAME.record(), change)) == ("shuffles", version_of("pile_shuffled"))


def test_a_pile_of_other_cards_is_refused() -> None:
    """A shuffle that turns a blue bean into a garden bean is no shuffle."""

    def change(lines: list[Line]) -> None:
        shuffled = entry_of(lines, "pile_shuffled")["entry"]
        order = shuffled["data"]["order"]
        order[order.index("blue", 30)] = "garden"
        shuffled["command"]["order"] = list(order)

    assert finding_in(altered(GAME.record(), change)) == ("rules", version_of("pile_shuffled"))
