"""The introduction of the reference page: what it shows is accepted, and what it says is so."""

import ast
import json
import re
import shlex
from pathlib import Path
from typing import Any

import msgspec

from events.bots import BOTS
from events.log.codec import SEAT_COMMAND_TYPES
from events.rules.definition.forms import AcceptForm, OfferForm, matches
from events.rules.interventions.ending import ABANDONED, CLOSING_REASONS, END_KINDS
from events.rules.interventions.rulings import RULED_ENDS
from events.rules.systems.registry import BY_KEY
from service.http.context.identity import UNGUESSABLE
from service.http.schemas.commands import load_command
from service.openapi import contract
from service.platform.configuration import setting
from tests.contract.references import paths, problems
from tests.service.in_process import InProcess

ROOT = Path(__file__).parents[4]
TIES = {
    "shared_victory": "all of them",
    "most_cards_in_hand": "who has most cards in hand, then all of them",
    "starting_player_loses": "not the starting player",
}
"""How the introduction says who wins a tie."""


def text() -> str:
    """The introduction as the page shows it."""
    return str(contract()["info"]["description"])


def blocks(language: str) -> list[str]:
    """What stands in code blocks of a language."""
    return re.findall(rf"```{language}\n(.*?)```", text(), re.DOTALL)


def rows(head: str) -> list[list[str]]:
    """The cells of the table that begins with this header, without the quotes of code."""
    lines = text().partition(head + "\n")[2].splitlines()[1:]
    table = lines[: next(place for place, line in enumerate(lines) if not line.startswith("|"))]
    return [[cell.strip().strip("`") for cell in line.strip("|").split(" | ")] for line in table]


def test_the_first_request_is_answered_as_shown(api: InProcess) -> None:
    """Its headers and its body are taken as they are; the answer has the members and headers that stand there."""
    words = shlex.split(blocks("sh")[0].replace("\\\n", " ").replace("$KEY", api.key))
    headers = dict(words[place + 1].split(": ", 1) for place, word in enumerate(words) if word == "-H")
    body = json.loads(words[words.index("-d") + 1])
    answer = api.call("POST", "/v1/games", body, headers=headers)
    head, _, shown = blocks("http")[0].partition("\n\n")

    assert answer.status == int(head.split()[1])
    for line in head.splitlines()[1:]:
        assert line.partition(": ")[0].lower() in answer.headers
    expected: dict[str, Any] = json.loads(shown)
    assert answer.json.keys() == expected.keys()
    assert [each.keys() for each in answer.json["seats"]] == [each.keys() for each in expected["seats"]]
    assert (answer.json["version"], answer.json["status"]) == (expected["version"], expected["status"])


def test_the_forms_are_filled_in_as_the_service_accepts_them() -> None:
    """Each form is followed by a command that fits it."""
    shown = [json.loads(each) for each in blocks("json")]
    kinds = {"offer": OfferForm, "accept": AcceptForm}
    for form, command in zip(shown[::2], shown[1::2], strict=True):
        found = msgspec.convert({"type": form["type"], **form["form"]}, kinds[form["type"]])
        assert matches(found, load_command(command))
    assert [each["type"] for each in shown[::2]] == ["offer", "accept"]
    assert kinds.keys() <= SEAT_COMMAND_TYPES.keys()


def test_the_systems_are_those_that_there_are() -> None:
    """With the numbers of players and what becomes of a tie."""
    for (key, players, tie), system in zip(
        rows("| system | players | who wins a tie |"), BY_KEY.values(), strict=True
    ):
        assert key == system.key
        least, most = min(system.players), max(system.players)
        assert players == (f"{least} to {most}" if least < most else str(least))
        assert system.players == tuple(range(least, most + 1))
        assert tie == TIES[system.break_tie.__name__]


def test_the_reasons_of_a_result_are_those_of_the_rules() -> None:
    """The table and the schema have each reason with which the rules or a ruling end a game, and no other."""
    found = {*RULED_ENDS, *END_KINDS, *CLOSING_REASONS, ABANDONED} | {
        argument.value
        for file in (ROOT / "events" / "rules").rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "end_game"
        for argument in node.args
        if isinstance(argument, ast.Constant)
    }
    result = contract()["components"]["schemas"]["GameResult"]["properties"]
    assert found == set(result["reason"]["enum"])
    assert found == {row[0] for row in rows("| reason | when the draw pile ran out for the last time |")}
    assert {system.unit for system in BY_KEY.values()} == set(result["unit"]["enum"])


def test_the_bots_and_their_patience_are_as_configured() -> None:
    """The name of each bot, and the seconds that hold where the operator says nothing else."""
    bots = text().partition("## Bots")[2].partition("##")[0]
    assert set(re.findall(r"`([a-z]+)`", bots)) - {"ready", "patience", "program"} == BOTS.keys()
    assert f"{float(setting('FIELDBOOK_BOT_PATIENCE', {})):g} seconds" in bots
    assert "FIELDBOOK_BOT_PATIENCE" in bots


def test_the_bounds_are_those_of_the_service() -> None:
    """How long a request may wait, and how long the key of a seat has to be."""
    parameters = paths()["/v1/games/{game}"]["get"]["parameters"]
    longest = next(each["schema"]["maximum"] for each in parameters if each["name"] == "wait")
    assert f"`wait` is at most {longest} seconds" in " ".join(text().split())
    assert f"at least {UNGUESSABLE} characters" in " ".join(text().split())


def test_every_code_that_can_be_answered_is_explained_once(api: InProcess) -> None:
    """In one of the two tables of `/docs/problems.md`: those of the interface and those of the rules."""
    assert "(/docs/problems.md)" in text()
    tables = api.call("GET", "/docs/problems.md")
    assert tables.headers["content-type"].startswith("text/markdown")
    explained = re.findall(r"^\| `([a-z_]+)` \|", tables.body.decode(), re.MULTILINE)
    assert len(explained) == len(set(explained))
    answered = {code for found in problems().values() for _, code in found}
    assert answered <= set(explained)
