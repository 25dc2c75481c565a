"""Play and results that were changed, with everything linked anew: the rules, asked again, give it away."""

import pytest

from events.log.disclosure import ALL, PUBLIC, viewer_name
from replay.verification.verify import verify_lines
from tests.replay.verification.forging import (
    GAME,
    Line,
    altered,
    entry_of,
    finding_in,
    relinked_after,
    version_of,
)


@pytest.mark.parametrize("viewer", [ALL, PUBLIC, 0], ids=viewer_name)
def test_an_altered_score_is_found(viewer: int) -> None:
    """A result that the coin stacks do not bear out is found in every scope."""

    def change(lines: list[Line]) -> None:
        ended = entry_of(lines, "game_ended")["entry"]["data"]
        ended["scores"][0] += 1

    expected = "rules" if viewer == ALL else "scores"
    assert finding_in(altered(GAME.record(viewer), change)) == (expected, version_of("game_ended"))


@pytest.mark.parametrize("viewer", [ALL, PUBLIC], ids=viewer_name)
def test_altered_winners_are_found(viewer: int) -> None:
    """Who won follows from the scores."""

    def change(lines: list[Line]) -> None:
        ended = entry_of(lines, "game_ended")["entry"]["data"]
        ended["winners"] = [seat for seat in range(4) if seat not in ended["winners"]]

    expected = "rules" if viewer == ALL else "scores"
    assert finding_in(altered(GAME.record(viewer), change)) == (expected, version_of("game_ended"))


@pytest.mark.parametrize("viewer", [ALL, PUBLIC], ids=viewer_name)
def test_an_altered_pay_is_found(viewer: int) -> None:
    """A harvest that pays more than the beanometer says is found in every scope."""

    def change(lines: list[Line]) -> None:
        entry_of(lines, "field_harvested")["entry"]["data"]["coins"] += 1

    expected = "rules" if viewer == ALL else "scores"
    assert finding_in(altered(GAME.record(viewer), change)) == (expected, version_of("field_harvested"))


def test_a_command_that_the_rules_refuse_is_found() -> None:
    """A planting on a field that does not exist was never accepted."""

    def change(lines: list[Line]) -> None:
        entry_of(lines, "bean_planted")["entry"]["command"]["field"] = 7

    report = verify_lines(altered(GAME.record(), change))

    assert (report.findings[0].check, report.findings[0].version) == ("rules", version_of("bean_planted"))
    assert "no_such_field" in report.findings[0].reason


def test_words_put_into_somebodys_mouth_are_found() -> None:
    """What the command says and what the event says must agree."""

    def change(lines: list[Line]) -> None:
        entry_of(lines, "talked")["entry"]["data"]["text"] = "I promise"

    assert finding_in(altered(GAME.record(), change)) == ("rules", version_of("talked"))


def test_a_command_of_another_actor_is_found() -> None:
    """Whose turn it is decides who may act."""

    def change(lines: list[Line]) -> None:
        entry = entry_of(lines, "bean_planted")["entry"]
        entry["actor"] = f"seat:{(entry['data']['seat'] + 1) % 4}"

    assert finding_in(altered(GAME.record(), change)) == ("rules", version_of("bean_planted"))


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


# --- what lies open in a record that does not show everything ----------------------------------------------


@pytest.mark.parametrize("viewer", [ALL, PUBLIC, 0], ids=viewer_name)
def test_a_phase_that_the_game_has_not_is_found(viewer: int) -> None:
    """The phases are those of the rules."""

    def change(lines: list[Line]) -> None:
        entry_of(lines, "phase_began")["entry"]["data"]["phase"] = "gloat"

    expected = "rules" if viewer == ALL else "fold"
    assert finding_in(altered(GAME.record(viewer), change)) == (expected, version_of("phase_began"))


@pytest.mark.parametrize("viewer", [ALL, PUBLIC], ids=viewer_name)
@pytest.mark.parametrize("drawn", ["cards_drawn", "cards_revealed"])
def test_cards_that_another_seat_has_drawn_are_found(viewer: int, drawn: str) -> None:
    """Whose turn it is draws and reveals; the actor is changed too, so that the entry says one thing."""

    def change(lines: list[Line]) -> None:
        entry = entry_of(lines, drawn)["entry"]
        entry["data"]["seat"] = (entry["data"]["seat"] + 1) % 4
        entry["actor"] = f"seat:{entry['data']['seat']}"

    assert finding_in(altered(GAME.record(viewer), change))[1] == version_of(drawn)


@pytest.mark.parametrize(
    ("event", "member", "value"),
    [
        ("bean_planted", "field", 7),
        ("aside_planted", "number", 99),
        ("field_harvested", "field", 7),
        ("offer_made", "to", 2),
        ("talked", "text", "I never said that."),
        ("seat_taken", "name", "Mallory"),
        ("pile_shuffled", "pile", "bonus"),
    ],
)
def test_a_command_that_contradicts_its_event_is_found(event: str, member: str, value: object) -> None:
    """Though both lie open in a public record, and the event by itself could be."""
    said = {"number": "card"}.get(member, member)

    def change(lines: list[Line]) -> None:
        entry = next(
            line["entry"]
            for line in lines
            if line.get("entry", {}).get("type") == event and said in line["entry"].get("command", {})
        )
        assert entry["command"][said] != value
        entry["command"][said] = value
        changed.append(entry["version"])

    changed: list[int] = []
    assert finding_in(altered(GAME.record(PUBLIC), change)) == ("commands", changed[0])


def test_a_command_of_another_seat_or_kind_than_its_event_is_found() -> None:
    """An event belongs to whoever gave the command, and is one that such a command brings about."""

    def by_another(lines: list[Line]) -> None:
        entry_of(lines, "bean_planted")["entry"]["actor"] = "seat:3"

    def another_kind(lines: list[Line]) -> None:
        entry_of(lines, "bean_planted")["entry"]["command"] = {"type": "harvest", "field": 0}

    planted = version_of("bean_planted")
    planter = next(entry for entry in GAME.log if entry.version == planted).actor
    assert planter != "seat:3"
    for change in (by_another, another_kind):
        assert finding_in(altered(GAME.record(PUBLIC), change)) == ("commands", planted)
