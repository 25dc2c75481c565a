"""Events with sentences: in the language asked for, from the caller's own form, and never kept for ever."""

import json

import pytest

from events.log.redacted import event_in
from events.rules.evolving.evolve import evolve
from events.rules.table.state import INITIAL_STATE
from replay.commentary import LANGUAGES, Commentary
from tests.service.in_process import InProcess
from tests.service.in_process_stream import EventStream
from tests.support.http_play import events_of

PLANT = {"type": "plant", "field": 0}


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_event_has_the_sentence_that_replay_gives_it(api: InProcess, language: str) -> None:
    """In every representation and for every viewer it is made of what the viewer's own form says."""
    game = api.stored(stop_at=120)
    tell = Commentary(game.recorded.table.rules.catalogue, language)
    for token in (None, game.tokens[1]):
        plain = events_of(api, game.id, token)
        state, expected = INITIAL_STATE, []
        for each in plain:
            event = event_in(each["entry"])
            state = evolve(state, event)
            expected.append(each | {"text": tell.sentence(state, event)})
        path = f"/v1/games/{game.id}/events?limit=1000&text={language}"

        assert api.get(path, token)["events"] == expected
        assert api.get(f"{path}&after=70", token)["events"] == expected[70:]
        lines = api.call("GET", path, token=token or "", headers={"Accept": "application/x-ndjson"}).body
        assert [json.loads(line) for line in lines.splitlines()] == expected
        with EventStream(api, game.id, f"?after=30&text={language}", token or "") as stream:
            assert [stream.event().json for _ in expected[30:]] == expected[30:]


def test_a_command_is_told_to_who_sent_it(api: InProcess) -> None:
    """The answer has the sentences of its events; so has the answer to a repeated request, in its own language."""
    party = api.people()
    path, headers = f"/v1/games/{party.game}/commands", {"Idempotency-Key": "once"}
    first = api.call("POST", f"{path}?text=de", PLANT, token=party.tokens[0], headers=headers).json
    again = api.call("POST", f"{path}?text=fr", PLANT, token=party.tokens[0], headers=headers).json
    bare = api.call("POST", path, PLANT, token=party.tokens[0], headers=headers).json

    assert "Feld 0" in first["events"][0]["text"]
    assert "champ 0" in again["events"][0]["text"]
    assert "text" not in bare["events"][0]


def test_sentences_are_never_kept_for_ever(api: InProcess) -> None:
    """A release may tell better: a page with sentences is asked for again, and 304 where it is still the same."""
    game = api.stored()
    path = f"/v1/games/{game.id}/events?limit=5"
    kept, told = api.call("GET", path), api.call("GET", f"{path}&text=it")

    assert "immutable" in kept.headers["cache-control"]
    assert told.headers["cache-control"] == "no-cache"
    assert told.headers["etag"] not in {
        kept.headers["etag"],
        api.call("GET", f"{path}&text=de").headers["etag"],
    }
    known = api.call("GET", f"{path}&text=it", headers={"If-None-Match": told.headers["etag"]})
    assert known.status == 304


def test_a_language_without_sentences_is_refused(api: InProcess) -> None:
    """It is an unknown value of a parameter like any other."""
    game = api.stored(stop_at=20)
    for query in ("text=ja", "text=", "text=DE"):
        assert api.call("GET", f"/v1/games/{game.id}/events?{query}").status in {400, 422}
