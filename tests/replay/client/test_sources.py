"""A game by its address: the record, the events as they arrive, keys, and everything that can go wrong."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import msgspec
import pytest
from click.testing import CliRunner, Result

from events.game.record import Header, header_for, read_record, write_record
from events.log.disclosure import PUBLIC, Form, form_for
from replay.client import game_address
from replay.client.game_address import GameAddress, SourceUnreadable, parse_address
from replay.command_line import replay
from tests.support.recorded_games import RecordedGame, recorded_game

GAME = recorded_game(5, 3, (), 6)
HALF = next(
    entry.version - 1
    for entry in GAME.log
    if entry.version > 60 and entry.command and entry.actor != "dealer"
)
TOKEN = "fbt_made-up"


class Service:
    """A service with one game, of which so many entries have happened; the rest comes with the first wait."""

    def __init__(self, game: RecordedGame, version: int, scope: int = PUBLIC) -> None:
        """Have the game at a version, and show it in this scope to whoever has the token."""
        self.forms = [form_for(entry, game.table.key, scope) for entry in game.log]
        header = header_for(game.table, scope)
        over = version == len(self.forms)
        self.header: Header = header if over else msgspec.structs.replace(header, secret="")
        self.version = version
        self.asked: list[str] = []
        self.answer: Callable[[str], tuple[int, bytes] | None] = lambda _path: None

    def respond(self, path: str, token: str) -> tuple[int, bytes]:
        """Status and body."""
        self.asked.append(path)
        told = self.answer(path)
        if told is not None:
            return told
        if token != f"Bearer {TOKEN}":
            problem = {"code": "not_permitted", "detail": "The game is private.\x1b[31m"}
            return 403, json.dumps(problem).encode()
        parts = urlsplit(path)
        if parts.path.endswith("/record"):
            return 200, b"".join(write_record(self.header, self.forms[: self.version]))
        after = int(parse_qs(parts.query)["after"][0].partition("-")[0])
        events = self.forms[after : after + 40]
        return 200, self.page(events, after)

    def page(self, events: list[Form], after: int) -> bytes:
        """A page of events."""
        last = events[-1] if events else self.forms[after - 1]
        version = last.entry["version"]
        page = {
            "game": self.header.game,
            "version": len(self.forms),
            "hash": self.forms[-1].hash,
            "events": events,
            "next": version,
            "cursor": f"{version}-{last.hash[:8]}",
        }
        return msgspec.json.encode(page)


@contextmanager
def serving(service: Service) -> Iterator[str]:
    """The address of the game at the service, which listens on a loopback port."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, body = service.respond(self.path, self.headers.get("Authorization", ""))
            self.send_response(status)
            if status == 302:
                self.send_header("Location", "http://elsewhere.example/\x1b[2J")
            self.send_header("Content-Length", str(len(body) + (1_000 if status == 299 else 0)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the base class
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1/games/{service.header.game}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(30)


def always(answer: tuple[int, bytes], _path: str) -> tuple[int, bytes]:
    """The same answer for every path."""
    return answer


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nobody wait for a service that is not there."""
    monkeypatch.setattr(game_address, "PATIENCE", 0.2)


def run(*arguments: str, key: str = TOKEN) -> Result:
    """Run a command with a key in the environment."""
    return CliRunner().invoke(replay, [*arguments], env={"FIELDBOOK_KEY": key})


# --- addresses -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "address",
    [
        "https://host/v1/games/g7",
        "https://host/v1/games/g7/",
        "https://host/v1/games/g7/record",
        "https://host/v1/games/g7/events?after=3",
        "https://host/games/g7#120",
    ],
)
def test_every_address_of_a_game_will_do(address: str) -> None:
    """The game's own, those below it, and those of pages about it."""
    assert parse_address(address) == GameAddress("https://host", "g7")


def test_an_address_can_have_a_base_a_port_and_a_view() -> None:
    """A service may stand below a path; `?as=` asks for a view."""
    found = parse_address("http://localhost:8000/bean/v1/games/g7?as=seat:1")
    assert found == GameAddress("http://localhost:8000/bean", "g7", "seat:1")
    assert parse_address("game.ndjson") is None
    assert parse_address("-") is None


@pytest.mark.parametrize(
    "address",
    [
        "https://",
        "https://host",
        "https://host/v1/systems",
        "http://host:99999/v1/games/g",
        "https://a:b@host/v1/games/g",
        "http://[/v1/games/g",
    ],
)
def test_another_address_is_refused(address: str) -> None:
    """It is said what one looks like; a password in an address is no way to give a key."""
    with pytest.raises(SourceUnreadable, match="is no address of a game, such as"):
        parse_address(address)
    assert run("show", address).exit_code == 2


# --- the record of a game ------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", [HALF, len(GAME.log)])
def test_a_game_by_its_address_is_shown_like_its_record(version: int, tmp_path: Path) -> None:
    """Every command gives for the address what it gives for the file."""
    service = Service(GAME, version)
    record = tmp_path / "record.ndjson"
    record.write_bytes(b"".join(write_record(service.header, service.forms[:version])))
    with serving(service) as address:
        for command in (["show"], ["show", "--json"], ["log"], ["verify"], ["find", "--seat", "1"]):
            name, *rest = command
            by_address, by_file = run(name, address, *rest), run(name, str(record), *rest)
            assert (by_address.exit_code, by_address.output) == (0, by_file.output)


def test_a_key_comes_from_a_file_or_the_environment(tmp_path: Path) -> None:
    """The file wins; what is no key is refused before anything is sent."""
    (tmp_path / "key").write_text(f"{TOKEN}\n")
    (tmp_path / "wrong").write_text("two words\r\nX-Header: 1")
    service = Service(GAME, HALF)
    with serving(service) as address:
        assert run("show", address, "--key-file", str(tmp_path / "key"), key="another").exit_code == 0
        sent = len(service.asked)
        for arguments in (["--key-file", str(tmp_path / "wrong")], ["--key-file", str(tmp_path / "none")]):
            refused = run("show", address, *arguments)
            assert (refused.exit_code, len(service.asked)) == (2, sent)
            assert "--key-file" in refused.output


def test_the_view_that_an_address_asks_for_is_asked_of_the_service() -> None:
    """Whether the caller may have it is the service's to say."""
    service = Service(GAME, HALF)
    with serving(service) as address:
        run("show", f"{address}?as=public")
    assert service.asked == [f"/v1/games/{GAME.table.game}/record?as=public"]


@pytest.mark.usefixtures("impatient")
def test_what_goes_wrong_is_said_without_escapes() -> None:
    """Refused, redirected, cut off, something else altogether: status 2, and nothing of theirs styles the screen."""
    service = Service(GAME, HALF)
    with serving(service) as address:
        refused = run("show", address, key="wrong")
        assert "403 not_permitted" in refused.output
        assert "FIELDBOOK_KEY or --key-file" in refused.output
        results = [refused]
        for answer, message in (
            ((302, b""), "answers with 302 and points to"),
            ((299, b"{"), "does not answer"),
            ((404, b"<html>\x1b[2J"), "answers with 404"),
            ((500, b"\x1b[31m"), "answers with 500"),
        ):
            service.answer = partial(always, answer)
            results.append(run("show", address))
            assert message in results[-1].output
    results.append(run("log", address))
    assert "does not answer" in results[-1].output
    assert {result.exit_code for result in results} == {2}
    assert not any("\x1b" in result.output for result in results)


def test_an_answer_that_is_no_record_is_said_to_be_none() -> None:
    """As a file that is none would be."""
    service = Service(GAME, HALF)
    service.answer = lambda _path: (200, b"hello\n")
    with serving(service) as address:
        refused = run("show", address)
    assert refused.exit_code == 2
    assert "is no record" in refused.output


def test_an_answer_without_an_end_is_not_read_into_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """A service may send as much as a file may hold."""
    monkeypatch.setattr("replay.client.sources.LARGEST", 10_000)
    with serving(Service(GAME, HALF)) as address:
        refused = run("show", address)
    assert refused.exit_code == 2
    assert "larger than 10000 bytes" in refused.output


# --- following -----------------------------------------------------------------------------------------------


def test_a_game_is_followed_from_its_record_to_its_end() -> None:
    """What was there and what arrives make the log of the whole game: no gap, nothing twice, all of it verified."""
    service = Service(GAME, HALF)
    with serving(service) as address:
        followed = run("log", address, "--follow", "--json")
    versions = [json.loads(line)["entry"]["version"] for line in followed.output.splitlines()]

    assert (followed.exit_code, versions) == (0, [*range(1, len(GAME.log) + 1)])
    assert service.asked[1].startswith(f"/v1/games/{GAME.table.game}/events?after={HALF}&wait=")


def test_a_finished_game_is_listed_and_not_waited_for() -> None:
    """There is nothing to follow."""
    service = Service(GAME, len(GAME.log))
    with serving(service) as address:
        assert run("log", address, "--follow").output == run("log", address).output
    assert len(service.asked) == 2


@pytest.mark.parametrize("fault", ["changed", "missing", "again"])
def test_what_does_not_continue_the_game_is_a_finding(fault: str) -> None:
    """An entry changed, left out or sent twice: status 1, and what holds was printed."""
    service = Service(GAME, HALF)
    events = service.forms[HALF : HALF + 10]
    if fault == "changed":
        entry = {**events[4].entry, "at": events[4].entry["at"] + 1}
        events[4] = msgspec.structs.replace(events[4], entry=entry)
    elif fault == "missing":
        del events[4]
    else:
        events.insert(4, events[3])
    page = service.page(events, HALF)
    service.answer = lambda path: (200, page) if "/events" in path else None
    with serving(service) as address:
        followed = run("log", address, "--follow")
    assert followed.exit_code == 1
    assert "does not verify at version" in followed.output
    assert len([line for line in followed.stdout.splitlines() if line[:4].strip().isdigit()]) == HALF + 4


@pytest.mark.usefixtures("impatient")
def test_a_connection_that_is_gone_ends_with_the_last_version() -> None:
    """After the client's patience, with status 2, and how far it came."""
    service = Service(GAME, HALF)
    service.answer = lambda path: (503, b"{}") if "/events" in path else None
    with serving(service) as address:
        followed = run("log", address, "--follow")
    assert followed.exit_code == 2
    assert f"The last entry was version {HALF}." in followed.output


def test_only_a_game_at_an_address_can_be_followed(tmp_path: Path) -> None:
    """A file does not grow."""
    (tmp_path / "record").write_bytes(b"".join(GAME.record()))
    assert "needs a game's address" in run("log", str(tmp_path / "record"), "--follow").output
    assert len(list(read_record(GAME.record())[1])) == len(GAME.log)
