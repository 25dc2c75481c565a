"""Setting up games: what is needed, what comes back, and what the same request brings when it is sent again."""

from contextlib import nullcontext
from typing import Any

import pytest

from events.rules.systems.registry import BY_KEY
from events.transparency.signed_note import parse_note
from replay.verification.attestations import Trust
from replay.verification.verify import verify_lines
from service.access.store import Keys
from service.play.reservations import SECONDS, ReservationRefused, redeem, reserve
from tests.service.in_process import NAMES, InProcess

THREE = [{"name": name} for name in NAMES[:3]]
NDJSON = {"Accept": "application/x-ndjson"}


def test_a_game_with_every_seat_filled_starts_at_once(api: InProcess) -> None:
    """The answer names game, version, chain head and commitment, and each person's token."""
    made = api.create(THREE)
    assert made["status"] == "running"
    assert [seat["name"] for seat in made["seats"]] == ["Ada", "Bob", "Cleo"]
    assert len({seat["token"] for seat in made["seats"]}) == 3
    state = api.get(f"/v1/games/{made['game']}")
    assert (state["version"], state["hash"]) == (made["version"], made["hash"])
    assert state["commitment"] == made["commitment"]
    assert state["waiting_for"] == [0]


def test_a_reserved_game_has_the_commitment_given_out_before_its_seeds(api: InProcess) -> None:
    """docs/record-format.md, Dealing: the secret was chosen before; its note is a receipt that a verifier takes."""
    reserved = api.call("POST", "/v1/reservations", token=api.key).json
    seats = [{**seat, "seed": f"seed-{number}"} for number, seat in enumerate(THREE)]
    made = api.create(seats, reservation=reserved["reservation"])
    assert (made["game"], made["commitment"]) == (reserved["game"], reserved["commitment"])
    record = api.call("GET", f"/v1/games/{made['game']}/record", headers=NDJSON).body
    report = verify_lines(record.splitlines(keepends=True))
    assert (report.ok, report.seeds) == (True, "after"), report.findings
    trust = Trust((api.signing_keys.current,), receipts=(parse_note(reserved["note"]),))
    report = verify_lines(record.splitlines(keepends=True), trust)
    assert (report.ok, report.seeds) == (True, "shown"), report.findings


def test_seeds_that_come_with_the_game_are_told_from_those_that_come_after(api: InProcess) -> None:
    """docs/record-format.md, Dealing."""
    seeded = {"name": "Ada", "seed": "mine"}
    at_once = api.create([seeded, *THREE[1:]])
    assert _seeds(api, at_once["game"]) == "with"
    later = api.create([None, *THREE[1:]])
    api.call("POST", f"/v1/games/{later['game']}/seats", seeded)
    assert _seeds(api, later["game"]) == "after"
    assert _seeds(api, api.create(THREE)["game"]) == "none"


def _seeds(api: InProcess, game: str) -> str:
    record = api.call("GET", f"/v1/games/{game}/record", headers=NDJSON).body
    return verify_lines(record.splitlines(keepends=True)).seeds


def test_a_reservation_is_good_for_one_game_of_whoever_asked_for_it(api: InProcess) -> None:
    """The same request sent again finds its game; another one, or another holder's, gets none."""
    text = api.call("POST", "/v1/reservations", token=api.key).json["reservation"]
    body = {"system": "classic", "seats": THREE, "reservation": text}
    first = api.call("POST", "/v1/games", body, token=api.key, headers={"Idempotency-Key": "once"})
    again = api.call("POST", "/v1/games", body, token=api.key, headers={"Idempotency-Key": "once"})
    assert (first.status, again.status) == (201, 201)
    assert again.json["game"] == first.json["game"]
    for headers in ({}, {"Idempotency-Key": "twice"}):
        refused = api.call("POST", "/v1/games", body, token=api.key, headers=headers)
        assert (refused.status, refused.json["code"]) == (409, "reservation_used")
    other = Keys(api.store).create("others", ("create_games",), 1)
    for token, wrong in (
        (other, text),
        (api.key, text[:-1] + "x"),
        (api.key, "fbr_1"),
        (api.key, text + "0"),
    ):
        refused = api.call("POST", "/v1/games", {**body, "reservation": wrong}, token=token)
        assert (refused.status, refused.json["code"]) == (422, "bad_reservation")


def test_a_reservation_is_good_for_an_hour() -> None:
    """Afterwards, and before it was given out, it is refused."""
    reserved = reserve("00" * 32, "somebody", 1_000_000, is_writable=lambda _game: False)
    for later, is_good in ((-1, False), (0, True), (SECONDS * 1000, True), (SECONDS * 1000 + 1, False)):
        with nullcontext() if is_good else pytest.raises(ReservationRefused):
            assert redeem("00" * 32, "somebody", reserved.text, reserved.at + later) == reserved


def test_a_token_opens_its_own_seat(api: InProcess) -> None:
    """With the token of a seat the caller is that seat."""
    party = api.people()
    seats = [api.get(f"/v1/games/{party.game}/commands", token)["seat"] for token in party.tokens]
    assert seats == [0, 1, 2]


def test_tokens_are_shown_once_and_stored_nowhere(api: InProcess) -> None:
    """Neither a later answer nor the store holds a token."""
    party = api.people()
    answers = [
        api.call("GET", f"/v1/games/{party.game}{more}", token=party.tokens[0]).body
        for more in ("", "/commands", "/events", "/record")
    ]
    stored = [*api.store.private(party.game), *api.store.private(party.game).values()]
    for token in party.tokens:
        assert all(token.encode() not in answer for answer in answers)
        assert token not in stored


def test_a_bot_has_no_token(api: InProcess) -> None:
    """Nobody gets a token for a bot's seat, and free seats have none yet."""
    made = api.create([{"name": "Rob", "kind": "bot", "bot": "random"}, {"name": "Ada"}, None])
    assert ["token" in seat for seat in made["seats"]] == [False, True, False]
    assert [seat["kind"] for seat in made["seats"]] == ["bot", "human", None]
    assert made["status"] == "open"


def test_options_are_recorded_with_their_defaults(api: InProcess) -> None:
    """What was chosen and what was left open both stand in the state."""
    made = api.create(THREE, options={"bean_protection": "strict"})
    options = api.get(f"/v1/games/{made['game']}")["options"]
    assert options == {"bean_protection": "strict", "start_seat": 0}


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "schema_violation"),
        ({"system": "unknown", "seats": [None] * 3}, "unknown_system"),
        ({"system": "classic", "seats": [None] * 2}, "wrong_players"),
        ({"system": "classic", "seats": [None] * 11}, "schema_violation"),
        ({"system": "classic", "seats": [None] * 3, "rounds": 3}, "schema_violation"),
        ({"system": "classic", "seats": [None] * 3, "options": {"speed": 1}}, "unknown_option"),
        ({"system": "classic", "seats": [None] * 3, "options": {"start_seat": 3}}, "bad_option"),
        ({"system": "classic", "seats": [None] * 3, "options": {"start_seat": True}}, "bad_option"),
        ({"system": "classic", "seats": [None] * 3, "options": {"start_seat": 10**30}}, "bad_option"),
        ({"system": "classic", "seats": [None] * 3, "options": {"start_seat": 1.0}}, "schema_violation"),
        ({"system": "classic", "seats": [{"name": " "}, None, None]}, "bad_name"),
        ({"system": "classic", "seats": [{"name": "A\nB"}, None, None]}, "bad_name"),
        ({"system": "classic", "seats": [{"name": "x" * 41}, None, None]}, "schema_violation"),
        ({"system": "classic", "seats": [{"name": "A", "kind": "bot"}, None, None]}, "schema_violation"),
        ({"system": "classic", "seats": [{"name": "A", "bot": "greedy"}, None, None]}, "schema_violation"),
        ({"system": "classic", "seats": [{"name": "A", "seed": "a b"}, None, None]}, "schema_violation"),
    ],
)
def test_what_cannot_be_set_up_is_refused(api: InProcess, body: Any, code: str) -> None:
    """A wrong request is a 422 with the reason, and no game comes of it."""
    answer = api.call("POST", "/v1/games", body, token=api.key)
    assert (answer.status, answer.json["code"]) == (422, code)
    assert not any(api.store.feed_end(partition) for partition in range(api.store.partitions))


@pytest.mark.parametrize(
    ("body", "section"),
    [
        ({"system": "extended", "seats": [None] * 2}, "Bohnanza (154 cards), Nombre de joueurs"),
        ({"system": "ladybohn", "seats": [None] * 6}, "Ladybohn, Nb de joueurs"),
        ({"system": "extended", "seats": [None] * 3, "options": {"speed": 1}}, "Fieldbook, house rule"),
        ({"system": "unknown", "seats": [None] * 3}, "Fieldbook, house rule"),
    ],
)
def test_what_cannot_be_set_up_names_the_booklet_of_what_was_asked_for(
    api: InProcess, body: Any, section: str
) -> None:
    """There is no game yet, but a rule system was asked for, and it has a booklet."""
    problem = api.call("POST", "/v1/games", body, token=api.key).json
    assert problem["section"] == section
    assert "state" not in problem


def test_setting_up_needs_a_key_with_the_scope(api: InProcess) -> None:
    """Where a token is shown: 401 with a challenge for one that is no key, and 403 when the scope is missing."""
    body = {"system": "classic", "seats": [None] * 3}
    scopeless = Keys(api.store).create("looks on", ("arbitrate",), 2)
    seat = api.people().tokens[0]
    cases = [("fbk_" + "0" * 40, 401), (seat, 401), (scopeless, 403)]
    for token, status in cases:
        answer = api.call("POST", "/v1/games", body, token=token)
        assert answer.status == status
        assert (answer.headers.get("www-authenticate") == "Bearer") == (status == 401)


def test_the_same_request_again_gets_the_same_game_and_tokens(api: InProcess) -> None:
    """With an Idempotency-Key a lost answer can be asked for again, also after the game has moved on."""
    named = {"Idempotency-Key": "a-new-game"}
    first = api.call("POST", "/v1/games", {"system": "classic", "seats": THREE}, token=api.key, headers=named)
    game, token = first.json["game"], first.json["seats"][0]["token"]
    api.call("POST", f"/v1/games/{game}/commands", {"type": "plant", "field": 0}, token=token)
    again = api.call("POST", "/v1/games", {"system": "classic", "seats": THREE}, token=api.key, headers=named)
    assert again.headers["idempotent-replayed"] == "true"
    assert again.json == first.json
    assert again.headers["etag"] == first.headers["etag"]


def test_the_same_key_for_another_game_is_refused(api: InProcess) -> None:
    """An Idempotency-Key belongs to one body; of two holders each has keys of their own."""
    named = {"Idempotency-Key": "a-new-game"}
    made = api.create(THREE, headers=named)
    body = {"system": "classic", "seats": [None] * 3}
    other = api.call("POST", "/v1/games", body, token=api.key, headers=named)
    assert (other.status, other.json["code"]) == (422, "idempotency_key_reused")
    stranger = Keys(api.store).create("somebody else", ("create_games",), 2)
    answer = api.call(
        "POST", "/v1/games", {"system": "classic", "seats": THREE}, token=stranger, headers=named
    )
    assert answer.status == 201
    assert answer.json["game"] != made["game"]


def test_the_systems_say_what_can_be_set_up(api: InProcess) -> None:
    """A system lists its player counts, its options and where its cards' figures come from."""
    listed = api.get("/v1/systems")["systems"]
    assert [each["system"] for each in listed] == [*BY_KEY]
    classic = api.get("/v1/systems/classic")
    assert classic in listed
    assert classic["players"] == [3, 4, 5]
    assert sum(bean["copies"] for bean in classic["catalogue"]["beans"]) == classic["catalogue"]["total"]
    assert api.call("GET", "/v1/systems/unknown").json["code"] == "unknown_system"
