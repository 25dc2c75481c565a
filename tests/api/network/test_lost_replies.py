"""A reply of the store that gets lost: the request is answered, and nothing is lost or done twice.

A client of the store that repeats commands after a lost reply must not repeat one that takes something away (a
ticket) or adds something (a line of the audit log).
"""

from typing import Final

from tests.service.in_process import InProcess
from tests.service.in_process_stream import EventStream
from tests.support.lossy_proxy import LossyProxy

REPLIES: Final = range(6)
"""Which of the store's replies is lost: each request of these tests has some of them."""
NEW_KEY: Final = {"name": "Beans", "scopes": ["create_games", "arbitrate"]}


def test_a_ticket_opens_a_stream_whichever_reply_is_lost(api: InProcess, network: LossyProxy) -> None:
    """A ticket opens one stream (`docs/http-api.md`): a lost reply neither uses it up nor lets it open two."""
    party = api.people()
    for reply in REPLIES:
        made = api.call("POST", f"/v1/games/{party.game}/tickets", token=party.tokens[1])
        query = f"?ticket={made.json['ticket']}"
        network.lose_next_reply(after=reply)
        with EventStream(api, party.game, query) as stream:
            assert stream.status == 200, reply
        network.lose_next_reply(0)
        with EventStream(api, party.game, query) as stream:
            assert stream.status == 401
    assert network.lost >= 2


def test_an_act_is_one_line_of_the_audit_log_whichever_reply_is_lost(
    api: InProcess, network: LossyProxy
) -> None:
    """`GET /v1/operator-acts` shows what was done with keys, each act once."""
    operator, made = api.operator(), []
    for reply in REPLIES:
        network.lose_next_reply(after=reply)
        answer = api.call("POST", "/v1/keys", NEW_KEY, token=operator)
        network.lose_next_reply(0)
        assert answer.status == 201, (reply, answer.body)
        made.append(answer.json["id"])
    assert network.lost >= 3
    acts = api.get("/v1/operator-acts", operator)["acts"]
    assert [each["about"] for each in reversed(acts)] == made


def test_a_look_at_hidden_cards_is_recorded_whichever_reply_is_lost(
    api: InProcess, network: LossyProxy
) -> None:
    """The first look within an hour is an act: it is recorded once, and never missed."""
    seen = []
    for reply in REPLIES:
        game = api.people().game
        network.lose_next_reply(after=reply)
        answer = api.call("GET", f"/v1/games/{game}?as=all", token=api.key)
        network.lose_next_reply(0)
        assert answer.status == 200, (reply, answer.body)
        seen.append(game)
    assert network.lost >= 3
    acts = api.get("/v1/operator-acts", api.operator())["acts"]
    assert [each["about"] for each in reversed(acts)] == seen
