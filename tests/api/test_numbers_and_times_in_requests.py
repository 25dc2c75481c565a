"""Numbers in requests are ASCII digits, and times are those of RFC 3339, wherever a request has them.

`1_0` and the digits of other scripts are numbers of Python, not of HTTP (RFC 9110, section 5.6.2) or of this API.
"""

from base64 import urlsafe_b64encode
from urllib.parse import quote

import pytest

from tests.service.in_process import InProcess

NOT_NUMBERS = ("1_0", "٤", "\uff11", "+5", " 5", "5 ", "1.0", "0x1", "1e1", "²", "--5", "")


@pytest.mark.parametrize("text", NOT_NUMBERS)
@pytest.mark.parametrize("parameter", ["limit", "seats", "free"])
def test_a_number_of_a_list(api: InProcess, parameter: str, text: str) -> None:
    """It is refused, with the name of the parameter."""
    answer = api.call("GET", f"/v1/games?{parameter}={quote(text)}")
    assert (answer.status, answer.json["code"]) == (422, "schema_violation")
    assert answer.json["errors"][0]["parameter"] == parameter


@pytest.mark.parametrize("text", NOT_NUMBERS)
def test_a_number_in_every_other_query(api: InProcess, text: str) -> None:
    """Versions, sizes and waits are numbers like others."""
    party = api.people()
    game = f"/v1/games/{party.game}"
    assert api.call("GET", f"{game}/commands?wait={quote(text)}", token=party.tokens[0]).status == 422
    for path in (
        f"{game}?at=",
        f"{game}?after=1&wait=",
        f"{game}?after=",
        f"{game}/events?limit=",
        f"{game}/scene?at=",
        f"{game}/receipt?version=",
        f"{game}/record?checkpoint=",
        "/v1/log?size=",
        "/v1/log/entries?from=",
        "/v1/log/consistency?from=",
        "/v1/exports/games?limit=",
        "/v1/dataset?table=games&limit=",
        "/v1/tournaments?limit=",
        "/v1/ratings?limit=",
    ):
        answer = api.call("GET", path + quote(text), token=api.key)
        assert answer.status == 422, (path, answer.body)


@pytest.mark.parametrize("text", ["1_0", "٤", "+1", "²"])
def test_a_number_in_headers_and_paths(api: InProcess, text: str) -> None:
    """Entity tags, ids of events and numbers of cases."""
    party = api.people()
    game = f"/v1/games/{party.game}"

    tag = api.call("GET", game, token=party.tokens[0]).headers["etag"].strip('"').partition("-")[2]
    if text != "٤":  # headers are Latin-1
        headers = {"If-Match": f'"{text}-{tag}"'}
        refused = api.call(
            "POST", f"{game}/commands", {"type": "say", "text": "x"}, token=party.tokens[0], headers=headers
        )
        assert refused.json["code"] == "bad_if_match"
        refused = api.call(
            "GET", f"{game}/events", headers={"Last-Event-ID": text, "Accept": "text/event-stream"}
        )
        assert refused.json["code"] == "bad_last_event_id"
    assert api.call("GET", f"{game}/disputes/{quote(text)}", token=party.tokens[0]).status == 404
    assert api.call("POST", f"{game}/seats/{quote(text)}/token", token=api.key).status == 404


def test_a_number_in_a_cursor(api: InProcess) -> None:
    """A cursor is what a page gave; one with other digits is invalid."""
    for path in ("/v1/games", "/v1/tournaments", "/v1/disputes"):
        for place in ("1_0/g", " 10/g", "+10/g", "٤/g"):
            cursor = urlsafe_b64encode(place.encode()).decode().rstrip("=")
            answer = api.call("GET", f"{path}?cursor={cursor}", token=api.key)
            assert (answer.status, answer.json["code"]) == (400, "bad_cursor"), (path, place)


def test_a_number_is_still_a_number(api: InProcess) -> None:
    """Leading zeros and large limits are as before; a negative one is out of range."""
    for limit in ("10", "010", "0", "99999999999999999999"):
        assert api.call("GET", f"/v1/games?limit={limit}").status == 200
    assert api.call("GET", "/v1/games?limit=-1").status == 422


VALID = {
    "2026-11-21T08:30:00Z": 1_795_249_800_000,
    "2026-11-21t08:30:00z": 1_795_249_800_000,
    "2026-11-21T08:30:00.5z": 1_795_249_800_500,
    "2026-11-21T09:30:00+01:00": 1_795_249_800_000,
    "2026-11-21t02:30:00.123456789-06:00": 1_795_249_800_123,
    "2026-11-21T08:30:00-00:00": 1_795_249_800_000,
    # The examples of RFC 3339, section 5.8, and the leap second after them.
    "1985-04-12T23:20:50.52Z": 482_196_050_520,
    "1990-12-31T23:59:60Z": 662_688_000_000,
    "1990-12-31T15:59:60-08:00": 662_688_000_000,
    "2016-12-31t23:59:60.25z": 1_483_228_800_250,
    "1937-01-01T12:00:27.87+00:20": -1_041_337_172_130,
    "9999-12-31T23:59:59Z": 253_402_300_799_000,
}
INVALID = (
    "2026-11-21T08:30:00",
    "2026-11-21T08:30Z",
    "2026-11-21T08:30:60Z",
    "2026-11-21T23:59:60Z",
    "2026-11-30T23:59:61Z",
    "2026-11-31T08:30:00Z",
    "2026-11-21T24:00:00Z",
    "2026-11-21T08:30:00+24:00",
    "2026-11-21T08:30:00+01",
    "20261121T083000Z",
    "2026-W47-6T08:30:00Z",
    "2026-11-21T08:30:00,5Z",
    "٢٠٢٦-11-21T08:30:00Z",
    "2026-11-21T08:30:00Z\n",
    "0001-01-01T00:00:00+01:00",
    "1_0",
    "٤",
)


@pytest.mark.parametrize("text", VALID)
def test_a_time_of_rfc_3339(api: InProcess, text: str) -> None:
    """It is accepted (section 5.6) and is the moment it names: a game is found from then on, or not."""
    api.people()
    for parameter in ("created_after", "created_before"):
        found = api.call("GET", f"/v1/games?{parameter}={quote(text)}")
        same = api.call("GET", f"/v1/games?{parameter}={max(VALID[text], 0)}")
        assert found.status == same.status == 200, found.body
        if VALID[text] >= 0:
            assert found.json["games"] == same.json["games"]
    assert api.call("GET", f"/v1/exports/games?finished_before={quote(text)}", token=api.key).status == 200


@pytest.mark.parametrize("text", INVALID)
def test_what_is_not_a_time(api: InProcess, text: str) -> None:
    """It is refused, with the name of the parameter."""
    answer = api.call("GET", f"/v1/games?created_after={quote(text)}")
    assert answer.status == 422
    assert answer.json["errors"][0]["parameter"] == "created_after"
