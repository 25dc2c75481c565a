"""Every key of the terminal player, at 80 x 24 and in a wide window."""

import re
from pathlib import Path

import pytest

from events.log.disclosure import ALL, PUBLIC
from replay.branches import encode_token
from replay.commentary import Commentary
from replay.terminal.player.application import Opening
from replay.terminal.player.keys import GROUPS, KEYS
from replay.terminal.player.variations import Variation
from replay.timeline.timeline import COMMAND, EVENT, PHASE, TURN
from tests.replay.commands.commands import ROOT
from tests.replay.terminal.player_at_keys import NARROW, TIMELINE, WIDE, after, screen

LAST = TIMELINE.last
TELL = Commentary(TIMELINE.header.catalogue)
SIZES = pytest.mark.parametrize("size", [NARROW, WIDE], ids=["80x24", "160x50"])


@SIZES
@pytest.mark.parametrize(
    ("keys", "unit"),
    [
        (("e", "E"), EVENT),
        (("right", "left"), EVENT),
        (("enter", "backspace"), EVENT),
        (("c", "C"), COMMAND),
        (("down", "up"), COMMAND),
        (("f", "F"), PHASE),
        (("t", "T"), TURN),
        (("pagedown", "pageup"), TURN),
    ],
)
def test_one_walks_by_event_command_phase_and_turn(
    keys: tuple[str, str], unit: str, size: tuple[int, int]
) -> None:
    """Each unit both ways, to the stops of the timeline, and the screen names the version."""
    on, back = keys
    stops = [version for version in TIMELINE.stops[unit] if version > 140][:2]

    assert after(on, on, size=size).view.version == stops[1]
    assert f"{stops[0]} of {LAST}" in screen(on, on, back, size=size)


@SIZES
@pytest.mark.parametrize(("key", "version"), [("<", 1), ("home", 1), (">", LAST), ("end", LAST)])
def test_first_and_last_are_one_key_away(key: str, version: int, size: tuple[int, int]) -> None:
    """From anywhere."""
    name = {"<": "less_than_sign", ">": "greater_than_sign"}.get(key, key)

    assert after(name, size=size).view.version == version


def test_the_ends_say_that_they_are_ends() -> None:
    """Walking past them stays there."""
    assert "This is the beginning." in screen("home", "E")
    assert "This is the end." in screen("end", "e")


@SIZES
@pytest.mark.parametrize(
    ("said", "version"),
    [("200", 200), ("+20", 160), ("-20", 120), ("50%", 237), ("t8", 137), ("t 8", 137)],
)
def test_g_goes_to_a_place(said: str, version: int, size: tuple[int, int]) -> None:
    """A version, so many on or back, a share of the game, a turn."""
    assert after("g", *map(_key, said), "enter", size=size).view.version == version


@pytest.mark.parametrize("said", ["0", "475", "x", "t0", "t999", "9" * 12, "²", ""])
def test_g_refuses_what_is_not_there(said: str) -> None:
    """One stays, and is told what there is."""
    player = after("g", *map(_key, said), "enter")

    assert player.view.version == 140
    assert player.view.message


@SIZES
def test_a_text_is_searched_forward_and_back(size: tuple[int, int]) -> None:
    """/ goes to the first match, n on, N back; the case does not matter."""
    found = [step.version for step in TIMELINE.steps if "said" in _told(step.version) and step.version > 140]

    assert after("slash", *"SAID", "enter", size=size).view.version == found[0]
    assert after("slash", *"said", "enter", "n", "n", size=size).view.version == found[2]
    assert after("slash", *"said", "enter", "n", "N", size=size).view.version == found[0]


def test_a_search_that_finds_nothing_says_so() -> None:
    """Forward, back, and where nothing is sought yet."""
    assert "No match after this version." in screen("slash", *"xyzzy", "enter")
    assert "No match before this version." in screen("slash", *"xyzzy", "enter", "N")
    assert "There is no search yet" in screen("n")


def test_the_player_plays_by_itself_and_stops() -> None:
    """Space begins and ends it; escape ends it too."""
    assert after("space").view.tempo.playing
    assert not after("space", "space").view.tempo.playing
    assert not after("space", "escape").view.tempo.playing
    assert "This is the end." in screen("end", "space")


def test_it_plays_to_the_end_and_stops_there() -> None:
    """At 256 times the tempo the last four events are quickly over."""
    player = after(*["plus"] * 8, "space", *["f12"] * 60, opening=Opening(LAST - 2))

    assert player.view.version == LAST
    assert not player.view.tempo.playing


@SIZES
def test_the_tempo_is_chosen(size: tuple[int, int]) -> None:
    """Plus and minus by powers of two between bounds; r takes the pauses of the game."""
    assert after("plus", "plus", size=size).view.tempo.factor == 4
    assert after(*["minus"] * 5, size=size).view.tempo.factor == 0.25
    assert after(*["plus"] * 12, size=size).view.tempo.factor == 256
    assert "recorded 2x" in screen("r", "equals_sign", size=size)


@SIZES
def test_the_perspective_goes_round(size: tuple[int, int]) -> None:
    """From all to the public, to each seat, and back to all."""
    assert after("p", size=size).view.track.viewer == PUBLIC
    assert after("p", "p", size=size).view.track.viewer == 0
    assert after(*["p"] * 7, size=size).view.track.viewer == ALL


@SIZES
def test_a_perspective_is_chosen_and_hides_the_other_hands(size: tuple[int, int]) -> None:
    """Of seat 1's hand the others see only how many cards there are."""
    chosen = screen("P", "down", "down", "enter", size=size)

    assert "as seat:0" in chosen
    assert "9 black-eyed, 10 blue, 11 soy" in chosen or "black-eyed green soy blue" in chosen
    assert "hand (9)\n" in chosen or "9 cards" in chosen


def test_what_a_perspective_could_know_is_shown() -> None:
    """The full view has nothing to derive."""
    told = screen("p", "p", "k")

    assert "What seat:0 could know for certain at version 140" in told
    assert "unseen" in told
    assert "sees everything" in screen("k")


@SIZES
def test_the_whole_table_can_be_read(size: tuple[int, int]) -> None:
    """With the numbers of the cards, scrolled by keys; escape leads back."""
    assert "3 black-eyed" in screen("x", size=size)
    assert f"140 of {LAST}" in screen("x", "pagedown", "end", "home", "escape", size=size)


def test_the_language_goes_round() -> None:
    """English, German, French, Italian."""
    assert "Runde 8" in screen("l") or "Zug 8" in screen("l")
    assert after("l", "l").view.language == "fr"
    assert after("l", "l", "l", "l").view.language == "en"


@SIZES
def test_help_names_every_key(size: tuple[int, int]) -> None:
    """With what each does."""
    shown = (
        screen("question_mark", size=size)
        + screen("h", "end", size=size)
        + screen("h", "pagedown", size=size)
    )

    for key in KEYS:
        assert key.does in shown
        assert key.shown.split()[0] in shown


def test_annotations_are_written_read_and_gone_to(tmp_path: Path) -> None:
    """Written at two versions with w, found with a, A and o, read with i; they are there the next time."""
    opening = Opening(140, annotations=str(tmp_path / "notes"), author="Rita")
    after(
        "w",
        *map(_key, "?! too early"),
        "enter",
        "g",
        *"200",
        "enter",
        "w",
        *"later",
        "enter",
        opening=opening,
    )

    again = Opening(100, annotations=str(tmp_path / "notes"))
    assert after("a", opening=again).view.version == 140
    assert after("a", "a", "A", opening=again).view.version == 140
    assert after("o", "down", "enter", opening=again).view.version == 200
    assert "a dubious move ?!" in screen("a", "i", opening=again)
    assert "too early" in screen("a", opening=again)
    assert "No annotation before" in screen("A", opening=again)
    assert "start with --author" in screen("w", "x", "enter", opening=again)


def test_without_annotations_each_of_their_keys_says_so() -> None:
    """Nothing happens in silence."""
    for key in "aAio":
        assert after(key).view.message
    assert "--annotations FILE" in screen("w", "x", "enter")


def test_a_variation_is_played_walked_and_left() -> None:
    """V plays something else, B lets bots go on, m leads back, b leads in again, y shows the token."""
    played = after("v", "down", "enter")
    course = played.view.track
    assert isinstance(course, Variation)
    assert course.branched_at == 140
    assert played.view.version == 141
    assert "variation from 140" in screen("v", "down", "enter")
    assert "variation from 140" not in screen("v", "enter", "m")
    assert "variation from 140" in screen("v", "enter", "m", "b", "enter")
    assert encode_token(course.branch)[:40] in screen("v", "down", "enter", "y")
    longer = after("B", "end").view
    assert longer.track.last > 142
    assert "The bots have played" in screen("B")


def test_a_token_brings_a_variation_along() -> None:
    """One can walk through it by each unit, both ways, across the place where it parts, as any seat."""
    course = after("B").view.track
    assert isinstance(course, Variation)
    opening = Opening(139, tokens=(encode_token(course.branch),))

    assert after("b", "enter", opening=opening).view.version == 141
    assert after("b", "enter", "E", "E", "e", "c", "C", "f", "F", "T", "t", opening=opening).view.variation
    shown = screen("b", "enter", "p", "p", opening=opening)
    assert "as seat:0" in shown
    assert after("b", "enter", "end", opening=opening).view.version == course.last


def test_what_is_no_variation_is_refused_in_a_sentence() -> None:
    """A token that is none, keys outside of a variation, the game before it has begun."""
    assert "no token" in screen("b", opening=Opening(140, tokens=("\x1b[2Jx",)))
    assert "There is no variation yet" in screen("b")
    assert "as it was played" in screen("m")
    assert "as it was played" in screen("y")


def test_escape_closes_the_line_that_is_typed_in() -> None:
    """And keys are keys again."""
    assert after("g", "1", "escape", "e").view.version == 141


@pytest.mark.parametrize("key", ["q", "ctrl+c", "ctrl+q"])
def test_one_can_leave(key: str) -> None:
    """In several ways."""
    assert after(key).return_code == 0


def test_the_keys_of_the_document_are_the_keys_of_the_player() -> None:
    """The table in docs/replay.md has a line for each key, and no other."""
    text = (
        (ROOT / "docs" / "replay.md")
        .read_text(encoding="utf-8")
        .partition("## play")[2]
        .partition("\n## ")[0]
    )
    rows = re.findall(r"^\| (`.+`) \| (.+) \|$", text, re.MULTILINE)

    assert rows == [
        (" ".join(f"`{each}`" for each in key.shown.split()), key.does)
        for group in GROUPS.values()
        for key in group
    ]


def _key(letter: str) -> str:
    """What Textual calls the key of a letter."""
    return {
        "+": "plus", "-": "minus", "%": "percent_sign", " ": "space", "=": "equals_sign", "_": "underscore",
        "?": "question_mark", "!": "exclamation_mark", "²": "superscript_two",
    }.get(letter, letter)  # fmt: skip


def _told(version: int) -> str:
    step = TIMELINE.at(version)
    return TELL.sentence(step.state, step.event)
