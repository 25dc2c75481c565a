"""What caches may keep: versions that have been for ever, the rest while it is the same, each viewer's apart."""

from typing import Any

import pytest

from tests.service.in_process import InProcess
from tests.support.http_play import Answer

FOR_EVER = "max-age=31536000, immutable"
SAY = {"type": "say", "text": "hello"}


def ask(api: InProcess, path: str, token: str | None = None, method: str = "GET", **headers: str) -> Answer:
    """Ask for something; headers are named with underscores."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return api.call(method, path, token=token, headers=named)


def everything(game: str) -> list[str]:
    """Every address that answers a GET about a game that has finished, and those about all games."""
    about = (
        "",
        "?at=9",
        "/catalogue",
        "/events?after=3&limit=4",
        "/record",
        "/validations",
        "/proof",
        "/receipt",
    )
    elsewhere = (
        "/v1/games",
        "/v1/systems",
        "/v1/systems/classic",
        "/v1/signing-keys",
        "/v1/log",
        "/v1/log/entries",
    )
    return [*(f"/v1/games/{game}{each}" for each in about), *elsewhere]


def test_who_has_an_answer_already_gets_304(api: InProcess) -> None:
    """Everything that can be read has an entity tag and takes it back, by GET and HEAD, among others and weak too."""
    game = api.stored()
    for path in everything(game.id):
        whole = ask(api, path)
        tag = whole.headers["etag"]
        assert ask(api, path).headers["etag"] == tag, path
        for given in (tag, f'"other", {tag}', f"W/{tag}", "*"):
            for method in ("GET", "HEAD"):
                answer = ask(api, path, method=method, If_None_Match=given)
                assert (answer.status, answer.body) == (304, b""), (path, given)
                assert answer.headers["etag"] == tag
                assert answer.headers["cache-control"] == whole.headers["cache-control"]
                assert "content-type" not in answer.headers
        for given in ('"other"', "", "nonsense"):
            assert ask(api, path, If_None_Match=given).body == whole.body


def test_head_answers_as_get_does(api: InProcess) -> None:
    """The same status and headers, without the content."""
    game = api.stored()
    for path in everything(game.id):
        head, get = ask(api, path, method="HEAD"), ask(api, path)
        assert (head.status, head.body) == (200, b"")
        for name in ("etag", "content-type", "cache-control", "vary", "link", "last-modified"):
            assert head.headers.get(name) == get.headers.get(name), (path, name)


def test_a_game_that_has_moved_is_told_again(api: InProcess) -> None:
    """The tag of an older version is no longer what there is."""
    party = api.people()
    path = f"/v1/games/{party.game}"
    for more in ("", "/events", "/commands"):
        before = ask(api, path + more, party.tokens[0])
        party.send(1, SAY)
        after = ask(api, path + more, party.tokens[0], If_None_Match=before.headers["etag"])
        assert after.status == 200
        assert after.headers["etag"] != before.headers["etag"]


def test_each_viewer_has_a_tag_of_their_own(api: InProcess) -> None:
    """At one address a spectator and three seats see four things: no one's tag stands for another's."""
    party = api.people()
    callers = [None, *party.tokens]
    for more in ("", "?at=5", "/events?after=2&limit=3", "/record"):
        path = f"/v1/games/{party.game}{more}"
        tags = [ask(api, path, token).headers["etag"] for token in callers]
        assert len(set(tags)) == 4
        for own, token in zip(tags, callers, strict=True):
            found = [ask(api, path, token, If_None_Match=tag).status for tag in tags]
            assert found == [304 if tag == own else 200 for tag in tags]
        assert {"Authorization", "Accept"} <= set(ask(api, path).headers["vary"].split(", "))


def test_every_form_has_a_tag_of_its_own(api: InProcess) -> None:
    """A page as JSON and as lines are two representations of one address."""
    game = api.stored()
    path = f"/v1/games/{game.id}/events"
    page = ask(api, path)
    lines = ask(api, path, Accept="application/x-ndjson")
    assert page.headers["etag"] != lines.headers["etag"]
    assert ask(api, path, Accept="application/x-ndjson", If_None_Match=page.headers["etag"]).status == 200


def test_a_seats_tag_is_taken_as_if_match(api: InProcess) -> None:
    """Whatever the tag says besides, a command can insist on its version."""
    party = api.people()
    path = f"/v1/games/{party.game}"
    for more in ("", "/commands"):
        tag = ask(api, path + more, party.tokens[1]).headers["etag"]
        assert tag.endswith('/seat:1"')
        assert party.send(1, SAY, {"If-Match": tag}).status == 200
        stale = api.call("POST", f"{path}/commands", SAY, token=party.tokens[1], headers={"If-Match": tag})
        assert (stale.status, stale.json["code"]) == (412, "stale_version")
        assert stale.json["legal_commands"] == party.legal(1)["commands"]


def test_a_version_that_has_been_is_kept_for_ever(api: InProcess) -> None:
    """By anybody where nobody was asked who they are, else by the caller alone."""
    party = api.people()
    path = f"/v1/games/{party.game}"
    now = api.get(path)["version"]
    for version in (1, now):
        assert ask(api, f"{path}?at={version}").headers["cache-control"] == f"public, {FOR_EVER}"
        seat = ask(api, f"{path}?at={version}", party.tokens[0])
        assert seat.headers["cache-control"] == f"private, {FOR_EVER}"
    first = ask(api, f"{path}?at={now}").body
    party.send(1, SAY)
    assert ask(api, f"{path}?at={now}").body == first
    assert ask(api, path, party.tokens[0]).headers["cache-control"] == "private, no-cache"
    assert ask(api, f"{path}?at=9999").headers["cache-control"] == "no-store"


def test_a_full_page_of_lines_is_kept_for_ever(api: InProcess) -> None:
    """Its events follow one another up to its end; a page of JSON also says how far the game is."""
    party = api.people()
    path = f"/v1/games/{party.game}/events"
    lines = {"Accept": "application/x-ndjson"}
    full = ask(api, f"{path}?after=2&limit=5", **lines)
    assert full.headers["cache-control"] == f"public, {FOR_EVER}"
    assert full.headers["last-modified"].endswith(" GMT")
    assert ask(api, f"{path}?after=2&limit=500", **lines).headers["cache-control"] == "no-cache"
    assert ask(api, f"{path}?after=2&limit=5").headers["cache-control"] == "no-cache"
    party.send(1, SAY)
    again = ask(api, f"{path}?after=2&limit=5", **lines)
    assert (again.body, again.headers["etag"]) == (full.body, full.headers["etag"])


def test_pages_of_a_finished_game_are_kept_for_ever(api: InProcess) -> None:
    """Nothing comes after its last event, in either form."""
    game = api.stored()
    for query in ("", "?after=7&limit=3", f"?after={len(game.recorded.log)}"):
        for accept in ("application/json", "application/x-ndjson"):
            page = ask(api, f"/v1/games/{game.id}/events{query}", Accept=accept)
            assert page.headers["cache-control"] == f"public, {FOR_EVER}"


def links(answer: Answer) -> dict[str, str]:
    """The addresses in the header `Link`, by relation."""
    found = {}
    for link in answer.headers["link"].split(", "):
        address, relation = link.split("; ")[:2]
        found[relation.removeprefix('rel="').removesuffix('"')] = address.strip("<>")
    return found


def test_links_lead_through_the_events(api: InProcess) -> None:
    """`next` to the end without gap or double, `prev` back to the beginning, `first` to it; the contract beside."""
    game = api.stored(stop_at=60)
    end = len(game.recorded.log)
    where, forwards = f"/v1/games/{game.id}/events?limit=7&as=public", []
    while where:
        page = ask(api, where)
        forwards += page.json["events"]
        found = links(page)
        assert found["describedby"] == "/openapi.yaml"
        assert [each["entry"]["version"] for each in ask(api, found["first"]).json["events"]] == list(
            range(1, 8)
        )
        where = found.get("next", "")
    assert [each["entry"]["version"] for each in forwards] == list(range(1, end + 1))
    backwards: list[Any] = []
    found = links(ask(api, f"/v1/games/{game.id}/events?after={end}&limit=7"))
    assert "next" not in found
    while "prev" in found:
        page = ask(api, found["prev"])
        backwards = page.json["events"] + backwards
        found = links(page)
    assert backwards == forwards


@pytest.mark.parametrize("query", ["", "?limit=0", "?limit=501", f"?limit={10**15}"])
def test_a_limit_is_bounded_and_not_refused(api: InProcess, query: str) -> None:
    """AIP-158: 0 and none at all is the usual size, too many are as many as there may be."""
    game = api.stored()
    usual = 500 if query in {"", "?limit=0"} else 501 if "501" in query else 1000
    page = api.get(f"/v1/games/{game.id}/events{query}")["events"]
    assert len(page) == min(usual, len(game.recorded.log))


def test_so_is_that_of_the_transparency_log(api: InProcess) -> None:
    """Its entries come in pages of at most 1,000 too."""
    for limit in (0, 1, 1001, 10**15):
        assert api.call("GET", f"/v1/log/entries?limit={limit}").status == 200
