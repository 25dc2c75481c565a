"""What `--as` leaves out of a whole record is really gone: checked on the values that are printed."""

import json

import pytest

from tests.replay.commands.commands import SEAT, WHOLE, run
from tests.support.depth import depth

LINES = WHOLE.read_bytes().splitlines(keepends=True)
LAST = len(LINES) - 2


def hidden_from(seat: int) -> list[tuple[int, list[str]]]:
    """For each entry that gave cards to others: its version and the cards."""
    entries = [json.loads(line)["entry"] for line in LINES[1:-1]]
    return [
        (entry["version"], entry["data"]["cards"])
        for entry in entries
        if entry["type"] in {"hand_dealt", "cards_drawn"} and entry["data"]["seat"] != seat
    ]


def test_a_redacted_log_holds_commitments_in_place_of_hidden_cards() -> None:
    """In --as seat:1 of a whole record no card dealt to others is there, nor any number of their offers."""
    lines = {
        line["entry"]["version"]: line["entry"]
        for line in map(json.loads, run("log", WHOLE, "--as", "seat:1", "--json").stdout.splitlines())
    }

    assert len(hidden_from(1)) > 20
    for version, cards in hidden_from(1):
        found = lines[version]["data"]["cards"]
        assert [list(card) for card in found] == [["commitment"]] * len(cards)
    for entry in lines.values():
        if entry["type"] == "pile_shuffled":
            assert all(list(card) == ["commitment"] for card in entry["data"]["order"])
            assert list(entry["command"]["order"]) == ["commitment"]
        if entry["type"] == "offer_made" and entry["data"]["seat"] != 1 and "hand" in entry["data"]:
            assert all(list(number) == ["commitment"] for number in entry["data"]["hand"])


def test_a_redacted_log_is_exactly_what_the_seats_own_record_holds() -> None:
    """Less of a whole record, and all of the seat's record, are the same to the letter, in text and in JSON."""
    for arguments in (["log"], ["log", "--json"], ["show"], ["show", "--json"], ["show", "--at", "200"]):
        command, *options = arguments
        redacted = run(command, WHOLE, "--as", "seat:1", *options)
        assert redacted.stdout == run(command, SEAT, *options).stdout
        assert redacted.returncode == 0


def test_a_redacted_text_calls_hidden_cards_hidden() -> None:
    """The sentences for others' cards name none."""
    lines = run("log", WHOLE, "--as", "seat:1").stdout.splitlines()

    for version, cards in hidden_from(1):
        sentence = lines[version - 1]
        assert f"{len(cards)} hidden cards" in sentence or "a hidden card" in sentence
        assert " bean" not in sentence


@pytest.mark.deep
def test_a_redacted_table_shows_no_hand_but_ones_own() -> None:
    """From the beginning to the end only seat 1 has a hand with cards in it, and the draw pile is a size."""
    for version in range(20, LAST, depth(180, 60)):
        table = json.loads(run("show", WHOLE, "--at", str(version), "--as", "seat:1", "--json").stdout)[
            "table"
        ]
        assert [seat["seat"] for seat in table["seats"] if "cards" in seat["hand"]] == [1]
        assert "cards" not in table["draw_pile"]
