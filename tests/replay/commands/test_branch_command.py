"""`branch` as a user runs it: playing on, going on with a token, refusals, and what is no branch."""

import json
import re
from pathlib import Path

import pytest

from tests.replay.commands.commands import PUBLIC, WHOLE, run

AT = ("--at", "140")


def branched(*arguments: str) -> dict[str, object]:
    """What `branch --json` prints."""
    result = run("branch", WHOLE, *arguments, "--json")
    assert result.returncode == 0, result.stderr
    found: dict[str, object] = json.loads(result.stdout)
    return found


def test_a_branch_goes_on_with_its_token() -> None:
    """Played by number and as JSON, gone to and taken back."""
    one = branched(*AT, "--play", "2")
    token = str(one["token"])

    two = branched("--token", token, "--play", '{"seat":0,"command":{"type":"say","text":"Well?"}}')
    variation = branched("--token", str(two["token"]), "--go", "0", "--play", "1")
    undone = branched("--token", str(variation["token"]), "--go", "2", "--undo", "2")

    assert [one["here"], two["here"], variation["here"], undone["here"]] == [1, 2, 3, 0]
    assert [len(each["tree"]) for each in (one, two, variation, undone)] == [1, 2, 3, 1]  # type: ignore[arg-type]
    assert (one["parted"], one["fresh_from"]) == (None, None)
    assert undone["version"] == 140


def test_a_seat_sees_nothing_more_in_a_branch() -> None:
    """Neither cards, nor what others could play."""
    result = run("branch", WHOLE, *AT, "--bots", "greedy", "--until", "turn", "--as", "seat:1", "--json")
    found = json.loads(result.stdout)

    assert found["viewer"] == "seat:1"
    assert {each["seat"] for each in found["legal"]} <= {1}
    assert "cards" not in found["table"]["draw_pile"]
    drawn = [each for each in found["events"] if each["type"] == "cards_drawn" and each["data"]["seat"] != 1]
    assert drawn
    assert all(set(each["data"]["cards"]) == {"?"} for each in drawn)


def test_an_illegal_move_is_refused_with_the_rule() -> None:
    """Code, booklet's section and what is legal; status 2."""
    result = run("branch", WHOLE, *AT, "--play", '{"type":"draw"}')
    machine = run("branch", WHOLE, *AT, "--play", '{"type":"draw"}', "--json")

    assert (result.returncode, machine.returncode) == (2, 2)
    assert "[wrong_phase; Bohnanza (104 cards)" in result.stderr
    assert '{"type":"plant","field":0}' in result.stderr
    assert json.loads(machine.stdout)["code"] == "wrong_phase"


@pytest.mark.parametrize(
    ("arguments", "wrong"),
    [
        ((), "Give --at VERSION"),
        ((*AT, "--token", "fbb1.xxx"), "Give --at VERSION"),
        (("--token", "fbb1.xxx", "--seed", "x"), "--seed is for a new branch"),
        (("--token", "fbb1.xxx"), "This is no token of a branch"),
        (("--token", "\x1b[2J"), "This is no token of a branch"),
        (("--at", "9999"), "there is no version 9999"),
        ((*AT, "--go", "1"), "there is no command 1"),
        ((*AT, "--undo", "1"), "cannot be taken back"),
        ((*AT, "--play", "99"), "no number 99"),
        ((*AT, "--play", "\x1b[2J"), "Name a number of the list"),
        ((*AT, "--play", '{"type":"\\u001b[2J"}'), "cannot be read"),
        ((*AT, "--play", '{"type":"shuffle","pile":"draw","order":[]}'), "dealer"),
        ((*AT, "--bots", "clever"), "no bot 'clever'"),
        ((*AT, "--bots", "greedy", "--until", "dawn"), "until 'dawn'"),
        ((*AT, "--as", "seat:9"), "no such seat"),
        ((*AT, "--seed", "two words"), "A seed is"),
    ],
    ids=str,
)
def test_wrong_use_is_said(arguments: tuple[str, ...], wrong: str) -> None:
    """With status 2, and nothing that a terminal would obey."""
    result = run("branch", WHOLE, *arguments)

    assert result.returncode == 2
    assert wrong in result.stderr
    assert "\x1b" not in result.stderr


def test_only_a_record_with_everything_in_it_is_branched(tmp_path: Path) -> None:
    """Others hide the cards to play with; and what does not verify is not played on in."""
    lines = WHOLE.read_bytes().splitlines(keepends=True)
    broken = tmp_path / "broken.ndjson"
    broken.write_bytes(b"".join([*lines[:60], lines[60].replace(b'"at":1', b'"at":2', 1), *lines[61:]]))

    hidden = run("branch", PUBLIC, *AT)
    changed = run("branch", broken, *AT)

    assert (hidden.returncode, changed.returncode) == (2, 1)
    assert "to play on takes one of scope all" in hidden.stderr
    assert "does not verify" in changed.stderr


def test_a_conversation_goes_on_line_by_line() -> None:
    """Numbers, taking back, going, bots, the whole tree; what is wrong is said and nothing happens."""
    given = b"2\nu\n1\n99\n?\ng 0\ng 7\nb random 2\ns\nq\n"
    result = run("branch", WHOLE, *AT, "--interactive", given=given)

    assert result.returncode == 0
    assert "There is no number 99" in result.stdout
    assert "there is no command 7" in result.stdout
    assert "The bots have played 2 commands." in result.stdout
    assert re.search(r"^> +[0-9]+  ", result.stdout, re.MULTILINE)
    assert run("branch", "-", *AT, "--interactive").returncode == 2
