"""Annotations over the API: who writes and who sees them, drafts, edits, two at once, and what a file takes along."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from events.store.redis.keys import GameKeys
from events.store.redis.redis_store import RedisEventStore
from replay.annotations.book import LARGEST, AnnotationBook
from replay.annotations.files import read_file, write_file
from replay.verification.verify import verify_lines
from service.access.game_access import GamePolicy
from service.access.keys import OPERATOR
from service.access.store import Keys
from service.annotations import store
from service.annotations.annotations import SetOwner
from service.annotations.store import Annotations
from service.http.resources.game import annotations
from tests.service.in_process import InProcess, Stored
from tests.support.http_play import Answer

RUNNING = 120
NDJSON = "application/x-ndjson"


def path_of(game: Stored | str) -> str:
    """Where a game's annotations are."""
    return f"/v1/games/{game if isinstance(game, str) else game.id}/annotations"


def wrote(api: InProcess, game: Stored | str, token: str, headers: Any = None, **body: Any) -> Any:
    """Write an entry; returns the answer's JSON."""
    answer = api.call("POST", path_of(game), {"kind": "note", **body}, token=token, headers=headers)
    assert answer.status == 201, answer.body
    return answer.json


def refused(answer: Answer) -> tuple[int, str]:
    """Status and code of a problem."""
    return answer.status, answer.json["code"]


def comments(api: InProcess, game: Stored | str, token: str | None, query: str = "") -> list[str]:
    """What somebody reads, in order."""
    found = api.get(path_of(game) + query, token)
    return [each["says"].get("comment", "") for each in found["annotations"]]


def published(api: InProcess, game: Stored, token: str, *notes: dict[str, Any]) -> str:
    """A set of these notes, published; returns its id."""
    name = ""
    for note in notes:
        name = wrote(api, game, token, **({"set": name} if name else {}), **note)["set"]
    wrote(api, game, token, kind="publication", set=name, title="What I think")
    return name


def exported(api: InProcess, game: Stored, token: str | None) -> bytes:
    """The file of what somebody sees."""
    answer = api.call("GET", path_of(game), token=token, headers={"Accept": NDJSON})
    assert (answer.status, answer.headers["content-type"]) == (200, NDJSON)
    return answer.body


def imported(api: InProcess, game: Stored | str, token: str, file: bytes) -> Answer:
    """The answer to a file that is sent."""
    return api.call(
        "POST", f"{path_of(game)}/imports", token=token, raw=file, headers={"Content-Type": NDJSON}
    )


def test_a_note_says_all_that_can_be_said(api: InProcess) -> None:
    """Comment, glyphs, observations, marks, arrows, tags and variations come back as they were written."""
    game = api.stored()
    note = {
        "comment": "**Two** chili for _nothing_? ¡Nunca! 🫘",
        "move": "blunder",
        "position": {"glyph": "winning", "seats": [0, 2]},
        "observations": ["missed_deal", "time_trouble"],
        "marks": [{"on": "field:1:0"}, {"on": "hand:2:12", "colour": "red"}],
        "arrows": [{"start": "hand:2:12", "end": "field:1:0"}],
        "tags": ["endgame", "Zoë's rule"],
        "variations": ["v1.Aa0_-~x"],
    }

    name = published(api, game, game.tokens[1], {"version": 40, **note})

    (found,) = api.get(path_of(game))["annotations"]
    assert found["says"] == note
    assert (found["set"], found["number"], found["kind"], found["version"]) == (name, 1, "note", 40)
    assert found["author"] == {"kind": "seat", "name": "Ben", "seat": 1}
    assert found["moment"]["hash"] == game.recorded.log[39].hash
    (shown,) = api.get(path_of(game))["sets"]
    assert (shown["title"], shown["published"], shown["owner"]) == ("What I think", 2, "seat:1")
    assert shown["taken_over"] is False


def test_a_draft_is_seen_by_nobody_but_its_author(api: InProcess) -> None:
    """Not by other seats, nor arbiters, nor operators; what is written after a publication is a draft again."""
    game = api.stored()
    operator = Keys(api.store).create("operator", (), 1, OPERATOR)
    ann = game.tokens[0]
    name = wrote(api, game, ann, version=3, comment="first")["set"]
    others = (None, game.tokens[1], api.key, operator)

    assert comments(api, game, ann) == ["first"]
    assert [api.get(path_of(game), each)["sets"] for each in others] == [[]] * 4

    wrote(api, game, ann, kind="publication", set=name)
    wrote(api, game, ann, set=name, version=4, comment="second")
    assert [comments(api, game, each) for each in others] == [["first"]] * 4
    assert comments(api, game, ann) == ["first", "second"]


def test_while_a_game_runs_only_arbiters_write_and_nobody_else_sees_any_of_it(api: InProcess) -> None:
    """Seats, the public and the game's creator are told the same as of a game about which nothing was said."""
    game, silent = api.stored(1, stop_at=RUNNING), api.stored(2, stop_at=RUNNING)
    arbiter = Keys(api.store).create("arbiter", ("arbitrate",), 1)
    creator = Keys(api.store).create("creator", ("create_games", "read_games"), 1)
    name = published(api, game, arbiter, {"version": 20, "comment": "collusion?", "move": "dubious"})

    assert comments(api, game, arbiter) == ["collusion?"]
    for token in (None, game.tokens[0], creator):
        told = api.call("GET", path_of(game), token=token)
        other = token if token != game.tokens[0] else silent.tokens[0]
        untold = api.call("GET", path_of(silent), token=other)
        assert told.body == untold.body.replace(silent.id.encode(), game.id.encode())
        assert name.encode() not in exported(api, game, token)
        record = api.call("GET", f"/v1/games/{game.id}/record?annotations=true", token=token).body
        assert name.encode() not in record
    for token in (game.tokens[0], creator):
        answer = api.call("POST", path_of(game), {"kind": "note", "version": 1, "tags": ["x"]}, token=token)
        assert refused(answer) == (403, "game_not_finished")
        assert refused(imported(api, game, token, b"")) == (403, "game_not_finished")


def test_what_arbiters_published_is_there_for_all_when_the_game_has_finished(api: InProcess) -> None:
    """The same set, from the moment at which the game is over."""
    party = api.people()
    name = wrote(api, party.game, api.key, version=5, comment="watch seat 2")["set"]
    wrote(api, party.game, api.key, kind="publication", set=name)
    assert comments(api, party.game, party.tokens[0]) == []

    party.play()

    assert comments(api, party.game, party.tokens[0]) == ["watch seat 2"]
    assert comments(api, party.game, None) == ["watch seat 2"]


def test_edits_and_withdrawals_are_entries_and_stay_in_the_history(api: InProcess) -> None:
    """What stands is the newest; what was is there for whoever asks for the history."""
    game, ben = api.stored(), api.stored().tokens[1]
    name = wrote(api, game, ben, version=9, comment="good", move="good")["set"]
    wrote(api, game, ben, set=name, version=10, comment="nonsense")
    wrote(api, game, ben, kind="edit", set=name, of=1, comment="bad, I see now", move="mistake")
    wrote(api, game, ben, kind="withdrawal", set=name, of=2, reason="it was late")
    wrote(api, game, ben, kind="publication", set=name)

    (found,) = api.get(path_of(game))["annotations"]
    assert found["says"] == {"comment": "bad, I see now", "move": "mistake"}
    assert found["edited"] >= found["at"]
    first, second = api.get(path_of(game) + "?history=true")["annotations"]
    assert [each["number"] for each in first["history"]] == [1, 3]
    assert [each["kind"] for each in second["history"]] == ["note", "withdrawal"]
    assert second["withdrawn"] is not None


def test_replies_hang_on_what_others_have_published(api: InProcess) -> None:
    """Never on a draft of somebody else's, nor on what does not exist: both are answered alike."""
    game = api.stored()
    ann, ben = game.tokens[:2]
    name = wrote(api, game, ann, version=9, comment="good")["set"]
    asked = {"kind": "reply", "to": {"set": name, "number": 1}, "comment": "no"}
    absent = {"kind": "reply", "to": {"set": "a" * 20, "number": 1}, "comment": "no"}
    assert (
        api.call("POST", path_of(game), asked, token=ben).body
        == api.call("POST", path_of(game), absent, token=ben).body
    )
    wrote(api, game, ann, kind="publication", set=name)

    own = wrote(api, game, ben, **asked)["set"]

    (_, reply) = api.get(path_of(game), ben)["annotations"]
    assert (reply["kind"], reply["version"], reply["set"]) == ("reply", 9, own)
    assert reply["says"]["to"]["number"] == 1


REFUSALS: list[tuple[dict[str, Any], int, str]] = [
    ({"kind": "note", "version": 5}, 422, "empty_annotation"),
    ({"kind": "note", "version": 100_000, "comment": "x"}, 404, "no_such_version"),
    ({"kind": "note", "version": 5, "move": "splendid"}, 422, "schema_violation"),
    ({"kind": "note", "version": 5, "marks": [{"on": "seat:7"}]}, 422, "no_such_seat"),
    ({"kind": "note", "version": 5, "marks": [{"on": "kitchen"}]}, 422, "schema_violation"),
    ({"kind": "note", "version": 5, "position": {"glyph": "winning"}}, 422, "bad_annotation"),
    ({"kind": "note", "version": 5, "position": {"glyph": "even", "seats": [1]}}, 422, "bad_annotation"),
    ({"kind": "note", "version": 5, "tags": ["a", "a"]}, 422, "bad_annotation"),
    ({"kind": "note", "version": 5, "comment": "x" * 8001}, 422, "schema_violation"),
    ({"kind": "note", "version": 5, "comment": "x", "html": "<b>"}, 422, "schema_violation"),
    ({"kind": "note", "version": 5, "comment": "x", "set": "b" * 20}, 422, "no_such_set"),
    ({"kind": "edit", "set": "{set}", "of": 9, "comment": "x"}, 422, "no_such_annotation"),
    ({"kind": "withdrawal", "set": "{set}", "of": 2}, 422, "annotation_withdrawn"),
    ({"kind": "publication", "set": "{theirs}"}, 422, "no_such_set"),
    ({"kind": "applause"}, 422, "schema_violation"),
]


@pytest.mark.parametrize(("body", "status", "code"), REFUSALS, ids=lambda each: str(each)[:40])
def test_what_cannot_be_written_is_refused_and_leaves_no_trace(
    api: InProcess, body: dict[str, Any], status: int, code: str
) -> None:
    """With a stable code; the set is what it was."""
    game = api.stored()
    name = wrote(api, game, game.tokens[0], version=5, comment="one")["set"]
    wrote(api, game, game.tokens[0], set=name, version=5, comment="two")
    wrote(api, game, game.tokens[0], kind="withdrawal", set=name, of=2)
    theirs = wrote(api, game, game.tokens[1], version=5, comment="not yours")["set"]
    before = exported(api, game, game.tokens[0])
    sent = json.loads(json.dumps(body).replace("{set}", name).replace("{theirs}", theirs))

    answer = api.call("POST", path_of(game), sent, token=game.tokens[0])

    assert refused(answer) == (status, code)
    assert exported(api, game, game.tokens[0]) == before


def test_nothing_is_published_twice(api: InProcess) -> None:
    """A publication without anything new is refused."""
    game = api.stored()
    name = published(api, game, game.tokens[0], {"version": 1, "tags": ["x"]})
    answer = api.call("POST", path_of(game), {"kind": "publication", "set": name}, token=game.tokens[0])
    assert refused(answer) == (422, "nothing_to_publish")


def test_a_request_sent_again_gets_its_first_answer(api: InProcess) -> None:
    """Also when what it did could not be done twice, and after the index was lost with a restored backup."""
    game = api.stored()
    ann = game.tokens[0]
    again = {"Idempotency-Key": "once-and-for-all"}
    body = {"kind": "note", "version": 5, "comment": "one"}
    first = api.call("POST", path_of(game), body, token=ann, headers=again)
    wrote(api, game, ann, kind="withdrawal", set=first.json["set"], of=1, headers={"Idempotency-Key": "w"})
    keys = GameKeys(game.id, api.store.partitions)
    api.store.connection.command("DEL", keys.annotations_index)

    second = api.call("POST", path_of(game), body, token=ann, headers=again)
    withdrawal = {"kind": "withdrawal", "set": first.json["set"], "of": 1}
    third = api.call("POST", path_of(game), withdrawal, token=ann, headers={"Idempotency-Key": "w"})

    assert (second.status, second.body, second.headers["idempotent-replayed"]) == (201, first.body, "true")
    assert third.json["number"] == 2
    other = api.call("POST", path_of(game), {**body, "comment": "two"}, token=ann, headers=again)
    assert refused(other) == (422, "idempotency_key_reused")
    elses = api.call("POST", path_of(game), body, token=game.tokens[1], headers=again)
    assert elses.json["set"] != first.json["set"]


def test_if_match_writes_only_after_the_entry_that_was_seen(api: InProcess) -> None:
    """Else 412 says where the set is."""
    game = api.stored()
    ann = game.tokens[0]
    first = api.call("POST", path_of(game), {"kind": "note", "version": 5, "comment": "one"}, token=ann)
    tag, name = first.headers["etag"], first.json["set"]
    wrote(api, game, ann, set=name, version=6, comment="two", headers={"If-Match": tag})

    stale = {"kind": "note", "set": name, "version": 7, "comment": "three"}
    answer = api.call("POST", path_of(game), stale, token=ann, headers={"If-Match": tag})

    assert refused(answer) == (412, "set_changed")
    assert answer.json["number"] == 2


def test_two_annotators_at_once_both_get_in(api: InProcess) -> None:
    """Each into their own set, and two programs of one author into the same one; every chain holds."""
    game = api.stored()
    ann, ben = game.tokens[:2]
    shared = wrote(api, game, ann, version=1, comment="shared")["set"]

    def write(place: int) -> int:
        token = ann if place % 2 else ben
        body = {"version": 1 + place, "comment": f"note {place}"} | ({"set": shared} if place % 2 else {})
        return int(wrote(api, game, token, **body)["number"])

    with ThreadPoolExecutor(8) as threads:
        numbers = list(threads.map(write, range(24)))

    assert sorted(numbers[1::2]) == list(range(2, 14))
    assert len(comments(api, game, ann)) == 13
    assert len(comments(api, game, ben)) == 12
    read_file(exported(api, game, ann).splitlines(keepends=True))


def test_pages_go_through_all_of_it_once(api: InProcess) -> None:
    """By version, with a cursor that stays good while more is written; and by author, set and version."""
    game = api.stored()
    ann, ben = game.tokens[:2]
    mine = published(api, game, ann, *({"version": 30 - at, "comment": f"a{at}"} for at in range(5)))
    published(api, game, ben, *({"version": 30 - at, "comment": f"b{at}"} for at in range(5)))

    read, after = [], ""
    while True:
        page = api.get(f"{path_of(game)}?limit=3{after}")
        read += [(each["version"], each["says"]["comment"]) for each in page["annotations"]]
        wrote(api, game, ann, set=mine, version=1, comment="meanwhile")
        if page["next"] is None:
            break
        after = f"&after={page['next']}"

    assert sorted(read) == sorted(set(read))
    assert [version for version, _ in read] == sorted(version for version, _ in read)
    assert len(read) == 10
    assert comments(api, game, None, "?author=seat:1") == [f"b{at}" for at in (4, 3, 2, 1, 0)]
    assert comments(api, game, None, f"?set={mine}&version=30") == ["a0"]


def test_what_is_the_same_is_not_sent_again(api: InProcess) -> None:
    """The entity tag changes with what the caller sees, and not with a draft that they do not."""
    game = api.stored()
    name = published(api, game, game.tokens[0], {"version": 1, "tags": ["x"]})
    tag = api.call("GET", path_of(game)).headers["etag"]
    wrote(api, game, game.tokens[0], set=name, version=1, tags=["y"])

    assert api.call("GET", path_of(game), headers={"If-None-Match": tag}).status == 304
    wrote(api, game, game.tokens[0], set=name, kind="publication")
    assert api.call("GET", path_of(game), headers={"If-None-Match": tag}).status == 200


@pytest.fixture
def elsewhere(store: RedisEventStore) -> Callable[[], None]:
    """Empty the annotations of the store, as if the same games were kept by another service."""

    def forget() -> None:
        for name in store.connection.command("KEYS", "*:annotations*"):
            store.connection.command("DEL", name)

    return forget


def test_a_set_is_exported_imported_elsewhere_and_shown_at_the_same_moments(
    api: InProcess, elsewhere: Callable[[], None]
) -> None:
    """With authors, times and hashes as they were; whose claim that is, is told."""
    game = api.stored()
    published(api, game, game.tokens[0], {"version": 7, "comment": "a"}, {"version": 3, "move": "good"})
    published(api, game, game.tokens[1], {"version": 7, "tags": ["t"]})
    before = api.get(path_of(game))
    file = exported(api, game, None)
    elsewhere()
    assert comments(api, game, None) == []

    answer = imported(api, game, api.key, file)

    assert [each["added"] for each in answer.json["sets"]] == [len(x) for x in _sizes(file)]
    after = api.get(path_of(game))
    assert after["annotations"] == before["annotations"]
    assert [each["taken_over"] for each in after["sets"]] == [True, True]
    assert exported(api, game, None) == file
    assert [each["added"] for each in imported(api, game, api.key, file).json["sets"]] == [0, 0]


def _sizes(file: bytes) -> list[list[Any]]:
    _, book = read_file(file.splitlines(keepends=True))
    return [each.entries for each in book.sets]


def test_an_import_that_was_killed_half_way_is_finished_by_the_same_file(
    api: InProcess, elsewhere: Callable[[], None]
) -> None:
    """What is there of it are whole sets; sent again only the others are new."""
    game = api.stored()
    for token in game.tokens[:3]:
        published(api, game, token, {"version": 7, "comment": "a"}, {"version": 9, "tags": ["t"]})
    file = exported(api, game, None)
    elsewhere()
    _, book = read_file(file.splitlines(keepends=True))
    key = Keys(api.store).find(api.key)
    assert key is not None
    assert Annotations(api.store).take_over(game.id, SetOwner(key.id), book.sets[0]) == 3

    answer = imported(api, game, api.key, file)

    assert [each["added"] for each in answer.json["sets"]] == [0, 3, 3]
    assert exported(api, game, None) == file


def test_a_set_bound_to_another_game_is_refused(api: InProcess) -> None:
    """Whether it names another id, or this id with other hashes."""
    game, other = api.stored(1), api.stored(2)
    published(api, game, game.tokens[0], {"version": 7, "comment": "a"})
    file = exported(api, game, None)

    assert refused(imported(api, other, api.key, file)) == (422, "another_game")
    binding, book = read_file(file.splitlines(keepends=True))
    forged = AnnotationBook(other.id)
    assert book.sets
    lines = b"".join(write_file(type(binding)(other.id, binding.hash), forged))
    assert refused(imported(api, other, api.key, lines)) == (422, "another_game")


def test_nobody_goes_on_with_anothers_set_by_a_file(api: InProcess, elsewhere: Callable[[], None]) -> None:
    """A set that went on differently is a fork, and a longer one is its keeper's alone."""
    game = api.stored()
    ann = game.tokens[0]
    name = published(api, game, ann, {"version": 7, "comment": "a"})
    short = exported(api, game, None)
    wrote(api, game, ann, set=name, version=8, comment="b")
    wrote(api, game, ann, set=name, kind="publication")
    long = exported(api, game, None)
    elsewhere()

    assert imported(api, game, ann, short).status == 200
    assert refused(imported(api, game, api.key, long)) == (403, "not_your_set")
    assert imported(api, game, ann, long).json["sets"] == [{"set": name, "added": 2, "entries": 4}]
    elsewhere()
    imported(api, game, ann, short)
    wrote(api, game, ann, set=name, version=9, comment="c")
    assert refused(imported(api, game, ann, long)) == (409, "annotations_forked")


@pytest.mark.parametrize("place", [0, 1, 2, -1])
def test_a_file_that_was_changed_is_refused_as_a_whole(api: InProcess, place: int) -> None:
    """In the header, an entry or the end, or cut off."""
    game = api.stored()
    published(api, game, game.tokens[0], {"version": 7, "comment": "a"})
    lines = exported(api, game, None).splitlines(keepends=True)
    changed = [*lines]
    changed[place] = lines[place].replace(b"a", b"b", 1)

    for file in (b"".join(changed), b"".join(lines[:-1]), b"", b"\xff", b"{}\n", b"[" * 60_000):
        assert imported(api, game, api.key, file).status == 422


def test_a_record_carries_what_is_published_and_verifies(api: InProcess) -> None:
    """Only when it is asked for; the record without is byte for byte what it was."""
    game = api.stored()
    before = api.call("GET", f"/v1/games/{game.id}/record").body
    published(api, game, game.tokens[0], {"version": 7, "comment": "a"}, {"version": 90, "tags": ["t"]})
    wrote(api, game, game.tokens[1], version=8, comment="a draft")

    plain = api.call("GET", f"/v1/games/{game.id}/record")
    carrying = api.call("GET", f"/v1/games/{game.id}/record?annotations=true")

    assert plain.body.splitlines()[2:-9] == before.splitlines()[2:-9]
    assert plain.headers["etag"] != carrying.headers["etag"]
    assert b"a draft" not in carrying.body
    report = verify_lines(carrying.body.splitlines(keepends=True))
    assert report.ok
    assert report.checks["annotations"] == 3
    assert "annotations" not in verify_lines(plain.body.splitlines(keepends=True)).checks


def test_annotations_are_bounded(api: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sets of one author, and bytes of a file."""
    game = api.stored()
    for _ in range(40):
        wrote(api, game, game.tokens[0], version=1, tags=["x"])
    answer = api.call(
        "POST", path_of(game), {"kind": "note", "version": 1, "tags": ["x"]}, token=game.tokens[0]
    )
    assert refused(answer) == (422, "annotations_full")
    monkeypatch.setattr(annotations, "LARGEST_FILE", 100)
    assert refused(imported(api, game, api.key, b"x" * 101)) == (413, "body_too_large")


def test_nobody_fills_the_room_of_a_game_for_everybody(
    api: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each owner has a share of the bytes, and who set the game up has room when all others have used theirs."""
    monkeypatch.setattr(store, "LARGEST_OWN", 2_000)
    monkeypatch.setattr(store, "KEPT_BYTES", LARGEST - 3_000)
    creator = Keys(api.store).find(api.key)
    assert creator is not None
    game = api.stored(policy=GamePolicy(creator=creator.id))
    long = {"kind": "note", "version": 1, "comment": "x" * 1_000}
    assert api.call("POST", path_of(game), long, token=game.tokens[0]).status == 201
    full = api.call("POST", path_of(game), long, token=game.tokens[0])
    assert refused(full) == (422, "annotations_full")
    assert "yours" in full.json["detail"]
    assert api.call("POST", path_of(game), long, token=game.tokens[1]).status == 201
    full = api.call("POST", path_of(game), long, token=game.tokens[2])
    assert refused(full) == (422, "annotations_full")
    for _ in range(4):
        assert api.call("POST", path_of(game), long, token=api.key).status == 201


def test_all_spectators_together_have_one_share(api: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """A seat gives out as many of their tokens as it likes."""
    monkeypatch.setattr(store, "LARGEST_OF_SPECTATORS", 2_000)
    game = api.stored()
    given = f"/v1/games/{game.id}/spectators"
    tokens = [api.call("POST", given, {"name": "Zoe"}, token=game.tokens[0]).json["token"] for _ in range(2)]
    long = {"kind": "note", "version": 1, "comment": "x" * 1_000}
    assert api.call("POST", path_of(game), long, token=tokens[0]).status == 201
    full = api.call("POST", path_of(game), long, token=tokens[1])
    assert refused(full) == (422, "annotations_full")
    assert "spectators" in full.json["detail"]
    assert api.call("POST", path_of(game), long, token=game.tokens[0]).status == 201


def test_a_withdrawn_draft_gives_its_room_back(api: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """It goes as a whole when there is no room for the next one; what was published stays."""
    monkeypatch.setattr(store, "LARGEST_OWN", 3_500)
    game = api.stored()
    long = {"kind": "note", "version": 1, "comment": "x" * 1_000}
    for _ in range(5):
        draft = wrote(api, game, game.tokens[0], **long)
        wrote(api, game, game.tokens[0], kind="withdrawal", set=draft["set"], of=1)
        assert len(api.get(path_of(game), game.tokens[0])["sets"]) <= 2
    kept = published(api, game, game.tokens[0], {"version": 1, "comment": "kept"})
    wrote(api, game, game.tokens[0], kind="withdrawal", set=kept, of=1)
    wrote(api, game, game.tokens[0], **long)
    assert [each["set"] for each in api.get(path_of(game))["sets"]] == [kept]
