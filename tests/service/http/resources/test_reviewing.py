"""What a page asks for to review a game: notes to be drawn, branches to walk through, figures, what was known."""

from collections import Counter
from itertools import chain
from typing import Any

import pytest

from events.game.record import read_record
from events.log.codec import event_type
from events.log.disclosure import ALL, PUBLIC, viewer_name
from events.rules.table.state import GameState
from replay.branches import Branch, decode_token, find_origin, load_branch
from replay.branches.redaction import redact_branch
from replay.branches.saved.recordings import recorded_game
from replay.commentary import Commentary
from replay.exports.page.cards import Cards
from replay.exports.page.content import build_content
from replay.exports.page.notes import notes_for
from replay.exports.page.scene import Scenes
from replay.terminal.table_text import phase_after
from replay.timeline.knowledge import knowledge
from replay.timeline.statistics.tally import compute_statistics
from replay.timeline.timeline import Timeline, read_timeline
from service.http.context import turns
from service.http.pages.shells import COMPARE, GAME, POLICY
from service.http.resources.game import annotation_forms, branches
from tests.replay.exports.pages import Reading, data_in
from tests.service.in_process import InProcess, Stored
from tests.support.plain import plain

AT = 300
VIEWERS = (ALL, PUBLIC, 0, 1, 2, 3)


@pytest.fixture
def stored(api: InProcess) -> Stored:
    """Return a finished game of four."""
    return api.stored(most_offers=20)


def timeline_of(api: InProcess, game: str, query: str = "") -> Timeline:
    """Its record with everything in it, read by whoever trusts nobody."""
    record = api.call("GET", f"/v1/games/{game}/record?as=all{query}").body
    return read_timeline(*read_record(iter(record.splitlines(keepends=True))), ALL)


def annotate(api: InProcess, stored: Stored, seat: int, **entry: object) -> dict[str, object]:
    """Write an entry; returns where it stands."""
    answer = api.call("POST", f"/v1/games/{stored.id}/annotations", entry, token=stored.tokens[seat])
    assert answer.status == 201, answer.body
    return {"set": answer.json["set"], "number": answer.json["number"]}


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_note_is_shown_as_an_exported_page_draws_it(api: InProcess, stored: Stored, language: str) -> None:
    """With its comment as a tree, its glyphs in the language, and its marks by their names."""
    note = annotate(
        api, stored, 1, kind="note", version=AT, comment="*No* <b>", move="mistake",
        position={"glyph": "better", "seats": [0]}, marks=[{"on": "field:1:0"}], tags=["x"],
        arrows=[{"start": "pile:draw", "end": "seat:2"}],
    )  # fmt: skip
    annotate(api, stored, 1, kind="publication", set=note["set"])
    reply = annotate(api, stored, 2, kind="reply", to=note, comment="Yes.")
    annotate(api, stored, 2, kind="publication", set=reply["set"])

    found = api.get(f"/v1/games/{stored.id}/annotations?text={language}")["annotations"]
    timeline = timeline_of(api, stored.id, "&annotations=true")
    drawn = notes_for(timeline, Commentary(timeline.header.catalogue, language))
    assert [each["shown"] | {"depth": 0} for each in found] == [plain(each) | {"depth": 0} for each in drawn]
    assert "shown" not in api.get(f"/v1/games/{stored.id}/annotations")["annotations"][0]


def test_a_page_of_drawn_notes_ends_where_their_comments_are_long(
    api: InProcess, stored: Stored, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One at least is drawn; `next` leads through all of them, and a page takes its turn among long work."""
    own: dict[str, object] = {}
    for at in range(5):
        note = annotate(api, stored, 1, kind="note", version=AT, comment=f"- {at}" * 20, **own)
        own = {"set": note["set"]}
    annotate(api, stored, 1, kind="publication", **own)
    path = f"/v1/games/{stored.id}/annotations"

    for most, sizes in ((120, [2, 2, 1]), (10, [1, 1, 1, 1, 1]), (annotation_forms.MOST_DRAWN, [5])):
        monkeypatch.setattr(annotation_forms, "MOST_DRAWN", most)
        read = list[list[str]]()
        after: str | None = ""
        while after is not None:
            page = api.get(f"{path}?text=en{after and f'&after={after}'}")
            read.append([each["says"]["comment"] for each in page["annotations"]])
            after = page["next"]
        assert [len(each) for each in read] == sizes
        assert [*chain(*read)] == [f"- {at}" * 20 for at in range(5)]

    assert len(api.get(path)["annotations"]) == 5
    monkeypatch.setattr(turns, "MOST_WAITING", 0)
    assert api.call("GET", f"{path}?text=en").json["code"] == "too_many_pages"
    assert api.call("GET", path).status == 200


def test_one_is_told_as_whom_one_would_write(api: InProcess, stored: Stored) -> None:
    """A seat of a finished game; nobody without a token, and no seat while the game runs."""
    path = f"/v1/games/{stored.id}/annotations"
    assert api.get(path, stored.tokens[2])["writes_as"] == "seat:2"
    assert api.get(path, api.key)["writes_as"].startswith("key_")
    assert api.get(path)["writes_as"] is None
    party = api.people()
    assert api.get(f"/v1/games/{party.game}/annotations", party.tokens[0])["writes_as"] is None


def _branch(timeline: Timeline, token: str) -> Branch:
    rules, log = recorded_game(timeline)
    contents = decode_token(token)
    return load_branch(contents, find_origin(rules, log, contents.version))


@pytest.mark.parametrize("viewer", VIEWERS, ids=viewer_name)
def test_a_branch_is_walked_through_as_each_may_see_it(api: InProcess, stored: Stored, viewer: int) -> None:
    """At every version the table and the sentence are those that its own events lead to."""
    bots = {"seats": ["random"], "until": "turn"}
    answer = api.call(
        "POST", f"/v1/games/{stored.id}/branches", {"version": AT, "bots": bots, "text": "fr"}
    ).json
    timeline = timeline_of(api, stored.id)
    branch = _branch(timeline, answer["token"])
    tell = Commentary(timeline.header.catalogue, "fr")
    cards = Cards.of_catalogue(tell, timeline.header.catalogue)
    origin = branch.origin.version
    assert answer["recording"]["origin"] == origin
    assert answer["recording"]["last"] == answer["version"] > origin

    reading = Reading(answer["recording"], viewer_name(viewer))
    before = timeline.seen_by(viewer).at(origin).state
    assert reading.table(origin) == _scene(tell, cards, timeline, before, before.phase)
    shown = redact_branch(branch, viewer, before)
    events = [event for number in branch.path() for event in shown[number][0]]
    for event in events:
        phase = phase_after(event_type(event.event), event.state.phase)
        assert reading.table(event.version) == _scene(tell, cards, timeline, event.state, phase)
        assert reading.sentence(event.version) == tell.sentence(event.state, event.event)
    assert [each["text"] for each in answer["events"]] == [
        tell.sentence(each.state, each.event) for each in branch.events()
    ]
    assert all(each["text"] for each in answer["legal"])


def _scene(tell: Commentary, cards: Cards, timeline: Timeline, state: GameState, phase: str) -> object:
    return plain(dict(Scenes(tell, cards, timeline.rules).scene(state, phase)))


def test_drawing_a_branch_gives_way_after_each_event(
    api: InProcess, stored: Stored, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As playing it does: commands of others have their turn in between."""
    rests = Counter[str]()
    path, wanted = (
        f"/v1/games/{stored.id}/branches",
        {"version": AT, "bots": {"seats": ["random"], "until": "turn"}},
    )
    asked: dict[str, Any] = {}
    for kind, text in (("played", None), ("drawn", "en")):
        monkeypatch.setattr(branches, "is_alone", lambda kind=kind: bool(rests.update((kind,))))
        asked = api.call("POST", path, wanted | {"text": text}).json
    assert rests["drawn"] == rests["played"] + len(asked["events"])


def test_a_branch_without_a_language_is_what_it_was(api: InProcess, stored: Stored) -> None:
    """Programs that only play on are sent no tables to draw."""
    answer = api.call("POST", f"/v1/games/{stored.id}/branches", {"version": AT}).json
    assert "recording" not in answer
    assert all("text" not in each for each in answer["legal"])


def test_figures_come_with_a_finished_game_only(api: InProcess, stored: Stored) -> None:
    """As the replay tools count them."""
    found = api.get(f"/v1/games/{stored.id}/history")["statistics"]
    assert found == plain(compute_statistics(timeline_of(api, stored.id)))
    assert "statistics" not in api.get(f"/v1/games/{api.people().game}/history")


@pytest.mark.parametrize("viewer", VIEWERS[1:], ids=viewer_name)
def test_a_scene_says_what_its_viewer_could_know(api: InProcess, stored: Stored, viewer: int) -> None:
    """For whoever asks for it; who sees everything is told nothing more."""
    path = f"/v1/games/{stored.id}/scene?at={AT}&knowledge=true&as="
    timeline = timeline_of(api, stored.id)
    state, known = timeline.seen_by(viewer).at(AT).state, timeline.recording.at(AT).moment.known
    told = knowledge(timeline.header.catalogue, state, known, viewer)
    assert api.get(f"{path}{viewer_name(viewer)}")["knowledge"] == plain(told)
    assert "knowledge" not in api.get(f"{path}all")
    assert "knowledge" not in api.get(f"/v1/games/{stored.id}/scene?at={AT}&as={viewer_name(viewer)}")


def test_a_seat_of_a_running_game_is_told_what_it_could_know_itself(api: InProcess) -> None:
    """And not what another could."""
    party = api.people()
    path = f"/v1/games/{party.game}/scene?knowledge=true"
    assert api.get(path, party.tokens[1])["knowledge"]["viewer"] == "seat:1"
    other = api.call("GET", f"{path}&as=seat:0", token=party.tokens[1])
    assert (other.status, other.json["code"]) == (403, "view_forbidden")


def test_a_game_is_downloaded_as_a_page(api: InProcess, stored: Stored) -> None:
    """With all perspectives of a finished game; of a running one what the caller sees; of a private one nothing."""
    answer = api.call("GET", f"/games/{stored.id}/page.html?lang=it")
    assert answer.headers["content-disposition"] == f'attachment; filename="{stored.id}.html"'
    content = build_content(timeline_of(api, stored.id), "it")
    assert data_in(answer.body.decode()) == plain(content)
    party = api.people()
    for token, key in ((None, "public"), (party.tokens[0], "seat:0")):
        page = api.call("GET", f"/games/{party.game}/page.html", token=token).body.decode()
        assert [each["key"] for each in data_in(page)["perspectives"]] == [key]
    private = api.create([{"name": "Ada"}, {"name": "Bob"}, {"name": "Cleo"}], visibility="private")
    assert api.call("GET", f"/games/{private['game']}/page.html").status == 404


def test_only_a_page_of_ours_frames_a_game(api: InProcess) -> None:
    """The page of two games may frame what is of this service; nothing else is framed, or frames."""
    game = api.call("GET", "/games/any").headers["content-security-policy"]
    compare = api.call("GET", "/compare").headers["content-security-policy"]
    assert game == GAME.policy == POLICY.replace("frame-ancestors 'none'", "frame-ancestors 'self'")
    assert compare == COMPARE.policy == f"{POLICY}; frame-src 'self'"
    assert "frame-src" not in game
