"""Games of a duplicate round in a service: dealt alike, closed at their end, opened by whoever has the round."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event, Thread
from typing import Final

import pytest

from events.commands.dealing import Dealing
from events.domain_events import PileShuffled
from events.game.table import Table
from events.log.codec import decode_event
from events.rules.phases import setting_up
from replay.verification.verify import verify
from service.archive.due import review_games
from service.bot_seats.bot_players import BotPlayers
from service.http.context.services import EXTENSION, Services
from service.play.lobby import NewGame, Player, RoundDeal
from service.play.reservations import reserve
from service.play.rounds import NotOfRound, RoundGoesOn
from service.verification.stored_record import GameUnreadable, check_readable, read_stored_record
from tests.service.in_process import InProcess
from tests.service.projections.test_projector import projected
from tests.support.rounds import SECRET, closed_table

DEAL: Final = RoundDeal(SECRET, "spring-1")
BOTS: Final = ("random", "greedy", "random")


def services(api: InProcess) -> Services:
    """What the application works with."""
    found: Services = api.app.extensions[EXTENSION]
    return found


def table_of_round(
    api: InProcess, game: str, bots: tuple[str, ...] = BOTS, deal: RoundDeal | None = DEAL
) -> str:
    """Set up a table of the round, with bots on all of its seats."""
    players = [Player(f"{bot} {seat}", "bot", bot) for seat, bot in enumerate(bots)]
    services(api).lobby.create(game, NewGame("classic", players, {}, deal=deal), 1, "test", "test")
    return game


def play_to_the_end(api: InProcess, *games: str) -> list[Table]:
    """Have the service's bots play, until nobody can do anything more; returns the tables."""
    stopping = Event()
    bots = Thread(target=BotPlayers(api.store).run, args=(stopping,))
    bots.start()
    try:
        for game in games:
            while services(api).tables.newest(game).table.state.status == "running":
                stopping.wait(0.05)
    finally:
        stopping.set()
        bots.join()
    return [services(api).tables.newest(game).table for game in games]


def first_shuffle(api: InProcess, game: str) -> PileShuffled:
    """The first one in the log."""
    events = map(decode_event, api.store.read(game))
    return next(each for each in events if isinstance(each, PileShuffled))


def test_a_round_from_its_tables_to_its_secret(api: InProcess) -> None:
    """Two tables have the same deal; both wait for each other, and are validated when the round is opened."""
    games = [table_of_round(api, "table-1"), table_of_round(api, "table-2", ("greedy", "random", "greedy"))]
    tables = play_to_the_end(api, *games)

    assert first_shuffle(api, "table-1") == first_shuffle(api, "table-2")
    assert {table.state.commitment for table in tables} == {api.get("/v1/games/table-1")["commitment"]}
    assert [table.state.status for table in tables] == ["ended", "ended"]
    assert projected(api).enqueued == []
    shown = api.get("/v1/games/table-1")
    assert (shown["status"], shown["secret"], shown["dealing"]) == (
        "ended",
        None,
        {"version": 2, "seed": "spring-1"},
    )
    assert shown["result"]["scores"] == list(tables[0].state.result.scores)  # type: ignore[union-attr]
    assert [(row["status"], row["scores"] is None) for row in api.get("/v1/games")["games"]] == [
        ("running", False)
    ] * 2

    for game in games:
        assert services(api).handling.open_round_secret(game, 9)
    assert sorted(game for game, _ in projected(api).enqueued) == games
    for game in games:
        header, forms = read_stored_record(api.store, game, api.store.head(game).version)  # type: ignore[union-attr]
        report = verify(header, forms)
        assert (report.ok, report.status, header.secret) == (True, "finished", SECRET)


def test_a_secret_is_opened_once_however_often_it_is_asked_for(api: InProcess) -> None:
    """By several at once, and again: one of them opens it, and the log has it once."""
    game = api.keep(closed_table("table-1", 1)).id
    handling = services(api).handling

    with ThreadPoolExecutor(4) as pool:
        opened = list(pool.map(lambda _: handling.open_round_secret(game, 9), range(8)))

    assert sorted(opened) == [False] * 7 + [True]
    assert not handling.open_round_secret(game, 10)
    assert [entry.type for entry in api.store.read(game)].count("secret_revealed") == 1


def test_another_process_opens_it_too(api: InProcess) -> None:
    """Whose table is older than the log: it finds the secret open."""
    game = api.keep(closed_table("table-1", 1)).id
    handling, other = services(api).handling, InProcess(api.store)
    try:
        assert services(other).tables.newest(game).table.state.status == "ended"
        assert handling.open_round_secret(game, 9)
        assert not services(other).handling.open_round_secret(game, 9)
    finally:
        other.close()


def test_what_still_runs_or_is_of_no_round_is_not_opened(api: InProcess) -> None:
    """With one secret of a round all are open."""
    running = api.keep(closed_table("table-1", 1, stop_at=60)).id
    alone = api.stored(3, most_offers=4).id
    handling = services(api).handling

    with pytest.raises(RoundGoesOn):
        handling.open_round_secret(running, 9)
    with pytest.raises(NotOfRound):
        handling.open_round_secret(alone, 9)
    assert services(api).tables.newest(running).table.state.status == "running"


def test_nothing_else_opens_it_and_nothing_can_be_done_meanwhile(api: InProcess) -> None:
    """No seat, host or clock brings the dealer to it; it is not archived, and bots leave it alone."""
    game = api.keep(closed_table("table-1", 1))
    before = api.store.head(game.id)
    answers = [
        api.call("POST", f"/v1/games/{game.id}/commands", {"type": "say", "text": "Well?"}, token=token)
        for token in game.tokens
    ]
    answers.append(
        api.call(
            "POST",
            f"/v1/games/{game.id}/commands",
            {"type": "reveal_secret", "secret": SECRET},
            token=game.tokens[0],
        )
    )

    assert [answer.status for answer in answers] == [422] * 5
    assert {answer.json["code"] for answer in answers[:-1]} == {"game_over"}
    assert not services(api).handling.close_untouched(game.id, 2**52)
    assert not services(api).handling.record_time(game.id, 2**52).entries
    assert list(review_games(api.store, 2**52, 0)) == []
    play_to_the_end(api, game.id)
    assert api.store.head(game.id) == before


def test_a_game_of_a_round_cannot_be_reserved(api: InProcess) -> None:
    """What a reservation promises is a secret of the game's own."""
    promised = reserve(api.store.installation.token_key, "key", 1, is_writable=lambda _: True)
    wanted = NewGame("classic", [None] * 3, {}, deal=DEAL, reservation=promised)

    with pytest.raises(ValueError, match="cannot be reserved"):
        services(api).lobby.create("table-1", wanted, 1, "test", "test")


def test_a_seat_of_a_round_is_taken_without_a_seed(api: InProcess) -> None:
    """Over HTTP as well: whoever brings one is told why not."""
    services(api).lobby.create("table-1", NewGame("classic", [None] * 3, {}, deal=DEAL), 1, "test", "test")
    headers = {"Idempotency-Key": "0123456789abcdef"}

    refused = api.call("POST", "/v1/games/table-1/seats", {"name": "Ann", "seed": "mine"}, headers=headers)
    taken = api.call("POST", "/v1/games/table-1/seats", {"name": "Ann"}, headers=headers)

    assert (refused.status, refused.json["code"], taken.status) == (422, "seed_not_taken", 201)


def test_a_dealing_of_a_newer_release_is_left_alone(api: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its games are named unreadable, with the reason; nobody finds them invalid, and they wait."""
    newer = Dealing(3, "spring-1")
    with monkeypatch.context() as later:
        later.setattr(setting_up, "DUPLICATE", newer.version)
        game = api.keep(closed_table.__wrapped__("table-1", 1, dealing=newer)).id
    answer = api.call("GET", f"/v1/games/{game}", token=api.key)
    head = api.store.head(game)
    assert head is not None

    assert (answer.status, answer.json["code"]) == (501, "game_unreadable")
    assert "no dealing version 3 here" in answer.json["detail"]
    with pytest.raises(GameUnreadable, match="no dealing version 3 here"):
        check_readable(verify(*read_stored_record(api.store, game, head.version)))
