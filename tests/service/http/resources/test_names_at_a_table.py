"""Which names can sit down: everybody sees them, and can tell them apart."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.service.in_process import InProcess

ZERO_WIDTH, FAMILY = "\u200b\u2060", "\U0001f468\u200d\U0001f469\u200d\U0001f467"


def create(api: InProcess, *seats: dict[str, Any] | None) -> Any:
    """Ask for a table for three."""
    return api.call("POST", "/v1/games", {"system": "classic", "seats": seats}, token=api.key)


@pytest.mark.parametrize(
    "name",
    [
        ZERO_WIDTH,
        "\u3164",
        "\u2800 \u00ad",
        "\U000e0041",
        "Ann\u202eneB",
        "\u2067Ann",
        "\u200fAnn",
        "An\u200bna",
    ],
)
def test_a_name_that_shows_nothing_or_turns_what_is_beside_it_is_refused(api: InProcess, name: str) -> None:
    """Spaces, fillers and format characters only, or a direction mark anywhere; the answer says which it is."""
    refused = create(api, {"name": name}, None, None)
    assert (refused.status, refused.json["code"]) == (422, "bad_name")
    assert "invisible" in refused.json["detail"] or "direction" in refused.json["detail"]

    program = {"name": "Ann", "kind": "program", "program": {"name": name, "version": "1"}}
    assert create(api, program, None, None).json["code"] == "bad_name"


@pytest.mark.parametrize(
    "other",
    [
        "Anna",
        "ANNA",
        " Anna",
        "\uff21nna",
        "Ann\u0430",
        "\u0391nna",
        "\U0001d400nna",
        "Anna\ufe0f",
    ],
)
def test_a_name_that_looks_like_another_at_the_table_is_refused(api: InProcess, other: str) -> None:
    """Capitals, spaces, what is not seen, full width, Cyrillic and Greek letters make no other name of it."""
    at_once = create(api, {"name": "Anna"}, {"name": other}, None)
    made = create(api, {"name": "Anna"}, None, None).json
    later = api.call("POST", f"/v1/games/{made['game']}/seats", {"name": other})

    for refused in (at_once, later):
        assert (refused.status, refused.json["code"]) == (422, "bad_name")
        assert "'Anna'" in refused.json["detail"]


@pytest.mark.parametrize(
    "names",
    [
        ("Zoe", "Zo\u00eb", "Zo\u00e9"),
        ("\u0646\u0648\u0631", "\u05e0\u05d5\u05e8", FAMILY),
        ("\u0410\u043d\u043d\u0430", "Anton", "\u0391\u03bd\u03bd\u03b5"),
        ("bot 1", "bot 2", "bot 11"),
    ],
)
def test_names_that_can_be_told_apart_sit_together(api: InProcess, names: tuple[str, ...]) -> None:
    """Accents, any script from either side, emoji that are joined, numbers."""
    made = create(api, *({"name": name} for name in names))
    assert made.status == 201
    assert [seat["name"] for seat in made.json["seats"]] == [*names]


def test_of_two_who_come_at_once_with_one_name_one_sits_down(api: InProcess) -> None:
    """Whoever is second learns that the name is taken, even where both looked at the same free seats."""
    for _ in range(10):
        made = create(api, {"name": "Ben"}, None, None).json
        with ThreadPoolExecutor(2) as threads:
            answers = [
                threads.submit(api.call, "POST", f"/v1/games/{made['game']}/seats", {"name": name})
                for name in ("Anna", "ANNA")
            ]
        assert sorted(each.result().status for each in answers) == [201, 422]


def test_the_same_request_twice_at_once_is_not_refused_for_its_own_name(api: InProcess) -> None:
    """Both get the same seat and token, whichever of them was the faster one."""
    for number in range(10):
        made = create(api, {"name": "Ben"}, None, None).json
        headers = {"Idempotency-Key": f'"anna-sits-down-at-table-{number}"'}
        with ThreadPoolExecutor(4) as threads:
            sent = [
                threads.submit(
                    api.call, "POST", f"/v1/games/{made['game']}/seats", {"name": "Anna"}, headers=headers
                )
                for _ in range(4)
            ]
        answers = [each.result() for each in sent]
        assert {each.status for each in answers} == {201}
        assert len({each.json["token"] for each in answers}) == 1
