"""The second verifier computes every vector of docs/record-format.md."""

from typing import Any

import pytest

from tests.replay.records.test_record_format import VECTORS, vectors
from tests.support.second_verifier import FOLDER, SecondVerifier


def test_no_kind_of_vector_is_left_out() -> None:
    """Each kind has a test here, but what only the first verifier judges."""
    assert {vector["vector"] for vector in VECTORS} - {"cosignature"} == {
        *(
            "canonical",
            "salt",
            "commitment",
            "chain",
            "shuffle key",
            "numbers",
            "shuffle",
            "redeal",
            "starting seat",
        ),
        *("round's shuffle key", "shuffle alike", "round's salt"),
        *("head", "audit", "inclusion", "consistency", "clock"),
    }


@pytest.mark.parametrize("vector", vectors("canonical"))
def test_canonical_json(second_verifier: SecondVerifier, vector: dict[str, Any]) -> None:
    """The bytes that every hash runs over."""
    assert second_verifier.ask("canonical", value=vector["value"]) == vector["bytes"]


@pytest.mark.parametrize("vector", vectors("salt"))
def test_salts(second_verifier: SecondVerifier, vector: dict[str, Any]) -> None:
    """A hidden value's salt follows from the secret and its place."""
    asked = {name: vector[name] for name in ("secret", "version", "path")}
    assert second_verifier.ask("salt", **asked) == {"key": vector["key"], "salt": vector["salt"]}


@pytest.mark.parametrize("vector", vectors("commitment"))
def test_commitments(second_verifier: SecondVerifier, vector: dict[str, Any]) -> None:
    """What stands in place of a hidden value."""
    found = second_verifier.ask("hashAfter", before=vector["salt"], value=vector["value"])
    assert found == vector["commitment"]


@pytest.mark.parametrize("vector", vectors("chain"))
def test_the_chain(second_verifier: SecondVerifier, vector: dict[str, Any]) -> None:
    """Each hash follows from the one before."""
    assert second_verifier.ask("canonical", value=vector["public_form"]) == vector["bytes"]
    found = second_verifier.ask("hashAfter", before=vector["previous"], value=vector["public_form"])
    assert found == vector["hash"]


@pytest.mark.parametrize("vector", vectors("shuffle key"))
def test_the_shuffle_key(second_verifier: SecondVerifier, vector: dict[str, Any]) -> None:
    """The secret bound to what was agreed."""
    bound = {name: vector[name] for name in ("options", "seeds", "system")}
    assert second_verifier.ask("canonical", value=bound) == vector["bound"]
    assert second_verifier.ask("shuffleKey", secret=vector["secret"], bound=bound) == vector["key"]


@pytest.mark.parametrize("vector", vectors("numbers"))
def test_the_numbers(second_verifier: SecondVerifier, vector: dict[str, Any]) -> None:
    """The stream for a purpose."""
    count = len(vector["numbers"])
    found = second_verifier.ask("numbers", key=vector["key"], purpose=vector["purpose"], count=count)
    assert found == vector["numbers"]


@pytest.mark.parametrize("vector", vectors("shuffle"))
def test_shuffles(second_verifier: SecondVerifier, vector: dict[str, Any]) -> None:
    """The order that follows from the key."""
    asked = {name: vector[name] for name in ("key", "purpose", "cards")}
    assert second_verifier.ask("shuffled", **asked) == vector["order"]


@pytest.mark.parametrize("vector", vectors("round's shuffle key"))
def test_the_shuffle_key_of_a_round(second_verifier: SecondVerifier, vector: dict[str, Any]) -> None:
    """The round's secret bound to what was agreed, and to no table."""
    bound = {"dealing": 2, **{name: vector[name] for name in ("options", "seed", "system")}}
    assert second_verifier.ask("canonical", value=bound) == vector["bound"]
    assert second_verifier.ask("shuffleKey", secret=vector["secret"], bound=bound) == vector["key"]


@pytest.mark.parametrize("vector", vectors("shuffle alike"))
def test_the_shuffle_of_a_round(second_verifier: SecondVerifier, vector: dict[str, Any]) -> None:
    """By the value of each card."""
    asked = {name: vector[name] for name in ("key", "purpose", "cards")}
    assert second_verifier.ask("shuffledAlike", **asked) == vector["order"]


@pytest.mark.parametrize("vector", vectors("round's salt"))
def test_the_salts_of_a_round(second_verifier: SecondVerifier, vector: dict[str, Any]) -> None:
    """They are bound to the game."""
    asked = {name: vector[name] for name in ("secret", "version", "path")}
    bound = {"dealing": 2, "game": vector["game"], "purpose": "salt"}
    found = second_verifier.ask("salt", bound=bound, **asked)
    assert found == {"key": vector["key"], "salt": vector["salt"]}


@pytest.mark.parametrize("vector", vectors("redeal"))
def test_what_is_left_of_a_pile_is_dealt_anew(
    second_verifier: SecondVerifier, vector: dict[str, Any]
) -> None:
    """The same shuffle, of the cards that were left."""
    left = vector["pile"][vector["taken"] :]
    found = second_verifier.ask("shuffled", key=vector["key"], purpose=vector["purpose"], cards=left)
    assert found == vector["order"]


@pytest.mark.parametrize("vector", vectors("starting seat"))
def test_the_starting_seat(second_verifier: SecondVerifier, vector: dict[str, Any]) -> None:
    """Who begins."""
    found = second_verifier.ask("below", key=vector["key"], purpose="start_seat", count=vector["players"])
    assert found == vector["seat"]


@pytest.mark.parametrize("vector", vectors("head") + vectors("audit"))
def test_signed_notes(second_verifier: SecondVerifier, vector: dict[str, Any]) -> None:
    """The signature is the key's."""
    assert second_verifier.ask("signer", note=vector["note"], key=vector["key"]) == vector["key"]


@pytest.mark.parametrize("vector", vectors("inclusion"))
def test_proofs_of_inclusion(second_verifier: SecondVerifier, vector: dict[str, Any]) -> None:
    """The proof leads from the leaf to the root."""
    assert second_verifier.ask("inclusion", proof=vector["proof"], leaf=vector["leaf"]) == 2


@pytest.mark.parametrize("vector", vectors("consistency"))
def test_proofs_of_consistency(second_verifier: SecondVerifier, vector: dict[str, Any]) -> None:
    """The log only grew."""
    assert second_verifier.ask("consistency", proof=vector["proof"], older=vector["old"], newer=vector["new"])


@pytest.mark.parametrize("vector", vectors("clock"))
def test_the_clock(second_verifier: SecondVerifier, vector: dict[str, Any]) -> None:
    """Whoever is waited for has the time that the page says."""

    def table(turn: int, active: int, *, asked: bool = False) -> dict[str, Any]:
        answers = [{"seat": 1, "offer": 1, "isBank": False}] if asked else []
        moves = [] if asked else [{"seat": active, "offer": None, "isBank": True}]
        return {"turn": turn, "active": active, "answers": answers, "moves": moves}

    credit, over = {"since": 1_021_000, "until": 1_026_000}, {"seat": 1}
    steps: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
        ("turn_began", {}, table(1, 0)),
        ("offer_made", {}, table(1, 0, asked=True)),
        ("time_credited", credit, table(1, 0, asked=True)),
        ("offer_declined", {}, table(1, 0)),
        ("turn_began", {}, table(2, 1)),
        ("time_expired", over, table(2, 1)),
        ("turn_began", {}, table(3, 0)),
    ]
    given = [(said["at"], *step) for said, step in zip(vector["entries"], steps, strict=True)]

    assert second_verifier.ask("clock", clock=vector["clock"], steps=given) == [
        said["deadlines"] for said in vector["entries"]
    ]


def test_it_is_short_and_stands_alone() -> None:
    """At most 1,280 lines that can be read in an evening; nothing is imported, and no address is in it."""
    text = (FOLDER / "verifier.mjs").read_text(encoding="utf-8")

    assert text.count("\n") <= 1_280
    assert max(map(len, text.splitlines())) <= 140
    assert "import " not in text
    assert "://" not in text
    assert "fetch" not in text
