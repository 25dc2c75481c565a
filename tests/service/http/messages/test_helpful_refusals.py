"""What a refusal says to somebody who is new here: which words to add, and whom to ask."""

from typing import Any

import pytest

from events.bots import BOTS
from tests.service.in_process import InProcess


def refused(api: InProcess, seat: Any, token: str | None = None) -> str:
    """The detail of the answer to a game with this seat."""
    body = {"system": "classic", "seats": [seat, None, None]}
    answer = api.call("POST", "/v1/games", body, token=token)
    assert answer.status in {401, 422}, answer.body
    return str(answer.json["detail"])


@pytest.mark.parametrize(
    ("seat", "said"),
    [
        (
            {"name": "Rob", "bot": "random"},
            'seats.0.kind: Only a seat of kind "bot" has one: add "kind": "bot"',
        ),
        (
            {"name": "Rob", "kind": "bot"},
            f"seats.0.bot: Say which bot plays this seat: {', '.join(BOTS)}.",
        ),
        (
            {"name": "Rob", "kind": "bot", "bot": "deep"},
            f"seats.0.bot: Must be one of: {', '.join(BOTS)}.",
        ),
    ],
)
def test_a_seat_of_a_bot_says_both_that_it_is_one_and_which(
    api: InProcess, seat: dict[str, str], said: str
) -> None:
    """What is missing is named where it belongs, with the words to add."""
    assert said in refused(api, seat, api.key)


def test_who_has_no_key_hears_where_keys_come_from(api: InProcess) -> None:
    """The operator of the service makes them, and with which command."""
    answer = api.call("POST", "/v1/webhooks", {"url": "https://example.org/"})
    assert answer.status == 401
    said = answer.json["detail"]
    assert "operator" in said
    assert "'fieldbook keys create'" in said
