"""A record that was changed and linked anew throughout: what an attacker can't know or make up gives it away."""

import hashlib
from typing import Any

import msgspec
import pytest

import events.table
from events import commands as c
from events.canonical import canonical, sha256_hex
from events.commitments import commit, salt_key
from events.dealing import dealers_command
from events.disclosure import ALL, PUBLIC, viewer_name
from events.rules.rule_system import Rules
from events.rules.state import GameState
from replay.verify import verify_lines
from tests.replay.forging import Line, altered, entry_of, parsed, relinked, resettled, written
from tests.support.recorded_games import RecordedGame, recorded_game

STRICT = (("bean_protection", "strict"), ("start_seat", "random"))
GAME = recorded_game(5, 4, STRICT, 12)


def finding_in(record: list[bytes]) -> tuple[str, int]:
    """The check that fails, and the version."""
    report = verify_lines(record)
    assert not report.ok
    return report.findings[0].check, report.findings[0].version


def version_of(event_type: str, place: int = 0) -> int:
    """The version of an entry of this type in the genuine game."""
    return [entry.version for entry in GAME.log if entry.type == event_type][place]


def test_linking_anew_changes_nothing_in_a_genuine_record() -> None:
    """The forger's tools are sound: used without a change they give the same record."""
    assert resettled(parsed(GAME.record())) == GAME.record()


# --- a dealer who cheats -------------------------------------------------------------------------------------


def rigged_game(monkeypatch: pytest.MonkeyPatch, task: str) -> RecordedGame:
    """A game whose dealer decided on one thing itself, and recorded everything else honestly."""

    def rigged(rules: Rules, state: GameState, secret: str) -> c.Command:
        honest = dealers_command(rules, state, secret)
        if task == "shuffle" and isinstance(honest, c.Shuffle) and state.shuffles == 1:
            return c.Shuffle(honest.pile, tuple(sorted(honest.order)))
        if task == "starting_seat" and isinstance(honest, c.ChooseStartingSeat):
            return c.ChooseStartingSeat((honest.seat + 1) % rules.players)
        return honest

    monkeypatch.setattr(events.table, "dealers_command", rigged)
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
    monkeypatch.setattr(events.table, "salt_key", lambda secret: salt_key(secret)[::-1])
    game = recorded_game.__wrapped__(5, 4, STRICT, 12)

    dealt = next(
        entry.version for entry in game.log if entry.type == "hand_dealt" and b'"seat":1' in entry.data
    )

    check, version = finding_in(game.record(viewer))

    assert check == "commitments"
    assert version == (1 if viewer == ALL else dealt)


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

    expected = "commands" if viewer == ALL else "commitments"
    assert finding_in(altered(GAME.record(viewer), change)) == (expected, len(GAME.log))


def test_another_secret_with_its_commitment_is_found() -> None:
    """A new secret with a new commitment does not explain the shuffles."""

    def change(lines: list[Line]) -> None:
        revealed, created = entry_of(lines, "secret_revealed")["entry"], lines[1]["entry"]
        revealed["data"]["secret"] = revealed["command"]["secret"] = "ab" * 32
        commitment = hashlib.sha256(bytes.fromhex("ab" * 32)).hexdigest()
        created["data"]["commitment"] = created["command"]["commitment"] = commitment

    assert finding_in(altered(GAME.record(), change))[0] == "commitments"
    assert finding_in(altered(GAME.record(PUBLIC), change))[0] == "shuffles"


# --- an altered deck -----------------------------------------------------------------------------------------


def test_an_altered_deck_is_found() -> None:
    """Two cards of the first pile swapped, in event and command alike: the hands dealt then give it away."""

    def change(lines: list[Line]) -> None:
        shuffled = entry_of(lines, "pile_shuffled")["entry"]
        order = shuffled["data"]["order"]
        other = next(place for place, card in enumerate(order) if card != order[0])
        order[0], order[other] = order[other], order[0]
        shuffled["command"]["order"] = list(order)

    assert finding_in(altered(GAME.record(), change)) == ("commands", version_of("hand_dealt"))


def test_a_pile_of_other_cards_is_refused() -> None:
    """A shuffle that turns a blue bean into a garden bean is no shuffle."""

    def change(lines: list[Line]) -> None:
        shuffled = entry_of(lines, "pile_shuffled")["entry"]
        order = shuffled["data"]["order"]
        order[order.index("blue", 30)] = "garden"
        shuffled["command"]["order"] = list(order)

    assert finding_in(altered(GAME.record(), change)) == ("commands", version_of("pile_shuffled"))


# --- an altered result ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("viewer", [ALL, PUBLIC, 0], ids=viewer_name)
def test_an_altered_score_is_found(viewer: int) -> None:
    """A result that the coin stacks do not bear out is found in every scope."""

    def change(lines: list[Line]) -> None:
        ended = entry_of(lines, "game_ended")["entry"]["data"]
        ended["scores"][0] += 1

    expected = "commands" if viewer == ALL else "scores"
    assert finding_in(altered(GAME.record(viewer), change)) == (expected, version_of("game_ended"))


@pytest.mark.parametrize("viewer", [ALL, PUBLIC], ids=viewer_name)
def test_altered_winners_are_found(viewer: int) -> None:
    """Who won follows from the scores."""

    def change(lines: list[Line]) -> None:
        ended = entry_of(lines, "game_ended")["entry"]["data"]
        ended["winners"] = [seat for seat in range(4) if seat not in ended["winners"]]

    expected = "commands" if viewer == ALL else "scores"
    assert finding_in(altered(GAME.record(viewer), change)) == (expected, version_of("game_ended"))


@pytest.mark.parametrize("viewer", [ALL, PUBLIC], ids=viewer_name)
def test_an_altered_pay_is_found(viewer: int) -> None:
    """A harvest that pays more than the beanometer says is found in every scope."""

    def change(lines: list[Line]) -> None:
        entry_of(lines, "field_harvested")["entry"]["data"]["coins"] += 1

    expected = "commands" if viewer == ALL else "scores"
    assert finding_in(altered(GAME.record(viewer), change)) == (expected, version_of("field_harvested"))


# --- altered play --------------------------------------------------------------------------------------------


def test_a_command_that_the_rules_refuse_is_found() -> None:
    """A planting on a field that does not exist was never accepted."""

    def change(lines: list[Line]) -> None:
        entry_of(lines, "bean_planted")["entry"]["command"]["field"] = 7

    report = verify_lines(altered(GAME.record(), change))

    assert (report.findings[0].check, report.findings[0].version) == ("commands", version_of("bean_planted"))
    assert "no_such_field" in report.findings[0].reason


def test_words_put_into_somebodys_mouth_are_found() -> None:
    """What the command says and what the event says must agree."""

    def change(lines: list[Line]) -> None:
        entry_of(lines, "talked")["entry"]["data"]["text"] = "I promise"

    assert finding_in(altered(GAME.record(), change)) == ("commands", version_of("talked"))


def test_a_command_of_another_actor_is_found() -> None:
    """Whose turn it is decides who may act."""

    def change(lines: list[Line]) -> None:
        entry = entry_of(lines, "bean_planted")["entry"]
        entry["actor"] = f"seat:{(entry['data']['seat'] + 1) % 4}"

    assert finding_in(altered(GAME.record(), change)) == ("commands", version_of("bean_planted"))


@pytest.mark.parametrize("viewer", [ALL, PUBLIC], ids=viewer_name)
def test_an_event_without_its_command_is_found(viewer: int) -> None:
    """Every event belongs to a command of one actor at one moment."""

    def change(lines: list[Line]) -> None:
        del entry_of(lines, "bean_planted")["entry"]["command"]

    assert finding_in(altered(GAME.record(viewer), change)) == ("commands", version_of("bean_planted"))


def test_a_planted_bean_that_was_not_in_front_is_found_by_its_owner() -> None:
    """In a seat's own record the front card of the hand is known."""
    version = next(
        entry.version for entry in GAME.log if entry.type == "bean_planted" and entry.actor == "seat:1"
    )

    def change(lines: list[Line]) -> None:
        data = lines[version]["entry"]["data"]
        data["card"] = "blue" if data["card"] != "blue" else "chili"

    assert finding_in(relinked_after(GAME.record(1), change)) == ("fold", version)


def test_a_card_out_of_nowhere_is_found_by_a_spectator() -> None:
    """Who sees no hand still counts the cards of a variety."""

    def change(lines: list[Line]) -> None:
        planted = [line["entry"]["data"] for line in lines[1:-1] if line["entry"]["type"] == "bean_planted"]
        for data in planted:
            data["card"] = "garden"

    assert finding_in(relinked_after(GAME.record(PUBLIC), change))[0] in {"cards", "scores"}


def relinked_after(record: list[bytes], change: Any) -> list[bytes]:
    """The record changed and relinked, its states left as they are."""
    lines = parsed(record)
    change(lines)
    return relinked(lines)


def test_an_altered_state_hash_is_found() -> None:
    """A chain that is sound over wrong state hashes tells a drifting engine from a tampered log."""

    def change(lines: list[Line]) -> None:
        lines[50]["entry"]["state"] = "0" * 64

    assert finding_in(relinked_after(GAME.record(), change)) == ("state", 50)


def test_time_may_be_anything_but_the_same_within_a_command() -> None:
    """The events of one command happened at one moment."""

    def change(lines: list[Line]) -> None:
        entry_of(lines, "turn_began")["entry"]["at"] += 1

    assert finding_in(altered(GAME.record(), change)) == ("commands", version_of("turn_began"))


# --- what the game is pinned to ------------------------------------------------------------------------------


def header_with(change: Any) -> list[bytes]:
    """The record with another catalogue in its header."""
    lines = parsed(GAME.record())
    change(lines[0]["catalogue"])
    return written(lines)


def test_another_catalogue_is_found() -> None:
    """The game pins what its cards pay."""

    def change(catalogue: Line) -> None:
        catalogue["beans"][0]["beanometer"]["1"] = 3

    assert finding_in(header_with(change)) == ("pinned", 1)


def test_a_catalogue_that_makes_no_sense_is_found() -> None:
    """Its figures are checked before anything is built from them."""

    def swollen(catalogue: Line) -> None:
        catalogue["total"] = catalogue["beans"][0]["copies"] = 10**9

    def steps(catalogue: Line) -> None:
        catalogue["beans"][0]["beanometer"] = {"1": 4, "2": 3}

    assert finding_in(header_with(swollen)) == ("pinned", 0)
    assert finding_in(header_with(steps)) == ("pinned", 0)


def test_another_catalogue_pinned_anew_is_found() -> None:
    """Pinning the other catalogue as well shows at the first harvest that it changes."""

    def change(lines: list[Line]) -> None:
        catalogue = lines[0]["catalogue"]
        for bean in catalogue["beans"]:
            bean["beanometer"] = {"1": 1}
        pinned = sha256_hex(canonical(catalogue))
        lines[1]["entry"]["data"]["catalogue"] = lines[1]["entry"]["command"]["catalogue"] = pinned

    check, version = finding_in(altered(GAME.record(), change))

    assert check == "commands"
    assert version >= version_of("field_harvested")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("system", "no-such-system"),
        ("system_version", 9),
        ("engine_version", 2),
        ("players", 9),
        ("players", 10**15),
        ("options", {"bean_protection": "none"}),
        ("options", {}),
        ("game", "another"),
        ("commitment", "AB" * 32),
    ],
)
@pytest.mark.parametrize("viewer", [ALL, PUBLIC], ids=viewer_name)
def test_what_is_pinned_must_be_known(viewer: int, name: str, value: Any) -> None:
    """A game made for a system, version or option that is unknown here is not verified."""

    def change(lines: list[Line]) -> None:
        lines[1]["entry"]["data"][name] = value

    assert finding_in(relinked_after(GAME.record(viewer), change)) == ("pinned", 1)


# --- scopes --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "claimed", ["public", "seat:0", "seat:1", "seat:3", "seat:4", "seat:01", "nobody", ""]
)
def test_a_record_under_another_scope_is_found(claimed: str) -> None:
    """A record shows exactly what its scope says, not more and not less."""
    for viewer in (ALL, PUBLIC, 2):
        lines = parsed(GAME.record(viewer))
        if claimed == lines[0]["scope"]:
            continue
        lines[0]["scope"] = claimed
        assert finding_in(written(lines))[0] == "scope"


def test_an_opened_card_in_a_public_record_is_found() -> None:
    """A card shown to spectators that they may not see, even with a right commitment, is against the scope."""
    lines, whole = parsed(GAME.record(PUBLIC)), parsed(GAME.record())
    dealt = version_of("hand_dealt")
    lines[dealt] = {**whole[dealt], "salts": {"data/cards/0": whole[dealt]["salts"]["data/cards/0"]}}

    assert finding_in(written(lines)) == ("scope", dealt)


def test_reports_serialise_whatever_was_found() -> None:
    """Findings about hostile texts are still plain JSON."""
    lines = parsed(GAME.record())
    lines[40]["entry"]["actor"] = "\x1b[2J\u202eseat:0"

    report = verify_lines(written(lines))

    assert "\\u001b" not in msgspec.json.encode(report).decode()
    assert "\u202e" not in report.findings[0].reason
