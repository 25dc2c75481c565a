"""The load and the spectators, against little servers of which everything is known."""

import resource
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread
from time import sleep

from tests.benchmarks.chosen import ChosenGame, Step
from tests.benchmarks.load.lanes import carried_out
from tests.benchmarks.load.plan import Acknowledged, Plan
from tests.benchmarks.load.processes import shared_out
from tests.benchmarks.load.until_stopped import carried_out_until_stopped
from tests.benchmarks.open_files import allow_files
from tests.benchmarks.watching.stream import Stream

ACKNOWLEDGED = b'HTTP/1.1 200 OK\r\nContent-Length: 24\r\n\r\n{"version":1,"hash":"a"}'
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
REFUSED = b"HTTP/1.1 422 No\r\nContent-Length: 0\r\n\r\n"
GAME = ChosenGame("game", tuple(Step(0, b"POST / HTTP/1.1\r\n\r\n") for _ in range(400)), 400)


@contextmanager
def served(answer: Callable[[int, socket.socket], None]) -> Iterator[int]:
    """A server that lets `answer` see the number of each request; its port."""
    listener = socket.create_server(("127.0.0.1", 0))
    seen = iter(range(10**9))

    def talk(connection: socket.socket) -> None:
        with connection:
            while connection.recv(65536):
                answer(next(seen), connection)

    def accept() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            Thread(target=talk, args=(connection,), daemon=True).start()

    Thread(target=accept, daemon=True).start()
    try:
        yield listener.getsockname()[1]
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()


def test_each_answer_is_followed_by_the_next_command() -> None:
    """Only what was answered while it counted is counted, and a refusal never."""

    def answer(number: int, connection: socket.socket) -> None:
        connection.sendall(REFUSED if number == 5 else OK)

    with served(answer) as port:
        found = carried_out(Plan(port=port, lanes=((GAME,),), warm_up=0.0, seconds=5.0))

    assert found.exhausted
    assert (found.counted, found.refused) == (399, 1)
    assert len(found.milliseconds) == found.counted


def test_an_answer_may_come_in_pieces() -> None:
    """It counts once its last byte is there."""

    def answer(_: int, connection: socket.socket) -> None:
        for piece in (OK[:20], OK[20:45], OK[45:]):
            connection.sendall(piece)
            sleep(0.01)

    with served(answer) as port:
        found = carried_out(Plan(port=port, lanes=((GAME,),), warm_up=0.0, seconds=0.5))

    assert found.counted
    assert min(found.milliseconds) >= 10


def test_a_connection_that_the_server_ends_is_followed_by_another_one() -> None:
    """As any client does that was told `Connection: close`; no command is lost by it."""

    def answer(number: int, connection: socket.socket) -> None:
        if number % 10:
            connection.sendall(OK)
        else:
            connection.sendall(OK.replace(b"OK\r\n", b"OK\r\nConnection: close\r\n"))
            connection.shutdown(socket.SHUT_RDWR)

    with served(answer) as port:
        found = carried_out(Plan(port=port, lanes=((GAME,),), warm_up=0.0, seconds=5.0))

    assert (found.counted, found.refused) == (400, 0)


def test_at_a_rate_a_pause_of_the_server_counts_for_every_command_that_was_due_meanwhile() -> None:
    """Else a server would be the faster, the longer it kept everybody waiting."""

    def answer(number: int, connection: socket.socket) -> None:
        sleep(0.3 if number == 10 else 0.0)
        connection.sendall(OK)

    with served(answer) as port:
        found = carried_out(Plan(port=port, lanes=((GAME,),), warm_up=0.0, seconds=1.0, rate=100.0))

    late = [taken for taken in found.milliseconds if taken > 100]
    assert len(late) >= 10
    assert found.counted >= 60


def test_a_server_without_rules_gets_the_same_commands_again() -> None:
    """The floor has no game that could end."""
    short = ChosenGame("game", GAME.steps[:5], 5)
    with served(lambda _, connection: connection.sendall(OK)) as port:
        found = carried_out(Plan(port=port, lanes=((short,),), warm_up=0.0, seconds=0.3, again=True))

    assert found.counted > 5
    assert not found.exhausted


def test_a_load_whose_service_is_stopped_knows_what_was_acknowledged_by_then() -> None:
    """The last command was never answered, and nobody knows of it; the load is over then, and has not failed."""

    def answer(number: int, connection: socket.socket) -> None:
        if number < 7:
            body = f'{{"version": {number + 10}, "hash": "hash {number}", "events": []}}'
            connection.sendall(f"HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode())
        else:
            connection.shutdown(socket.SHUT_RDWR)

    with served(answer) as port:
        plan = Plan(port=port, lanes=((GAME,),), warm_up=0.0, seconds=20.0, until_stopped=True)
        found = carried_out_until_stopped(plan)

    assert found.acknowledged == {"game": Acknowledged(16, "hash 6")}
    assert (found.counted, found.refused) == (7, 0)
    assert found.seconds < 10
    assert not found.exhausted


def test_a_game_whose_command_a_stopping_service_refuses_goes_on_no_more() -> None:
    """What comes after it builds on it. Any other refusal counts as one."""

    def answer(number: int, connection: socket.socket) -> None:
        away = REFUSED.replace(b"422 No", b"503 Away")
        connection.sendall((REFUSED, away, REFUSED)[number] if number else ACKNOWLEDGED)

    with served(answer) as port:
        plan = Plan(port=port, lanes=((GAME,),), warm_up=0.0, seconds=20.0, until_stopped=True)
        found = carried_out_until_stopped(plan)

    assert found.acknowledged == {"game": Acknowledged(1, "a")}
    assert found.refused == 0
    assert found.seconds < 10


def test_a_process_of_spectators_may_open_as_many_files_as_it_needs() -> None:
    """Or as many as the system lets it."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        allow_files(before[0] + 1)
        files, allowed = resource.getrlimit(resource.RLIMIT_NOFILE)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)

    assert allowed == before[1]
    assert files in {before[0] + 1, allowed}


def test_lanes_are_shared_out_to_processes() -> None:
    """Every lane once; never a process without one."""
    lanes = [(GAME,)] * 5

    assert [len(share) for share in shared_out(lanes, 2)] == [3, 2]
    assert [len(share) for share in shared_out(lanes[:1], 2)] == [1]


def test_a_spectator_notices_a_version_that_is_missing_or_comes_twice() -> None:
    """And reads frames that come in pieces."""
    frames = [f'id: {each}-abcdef01\nevent: x\ndata: {{"at":1}}\n\n'.encode() for each in (7, 8, 9, 9, 11)]
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\nretry: 1000\n\n: still here\n\n"

    def answer(_: int, connection: socket.socket) -> None:
        everything = head + b"".join(frames)
        connection.sendall(everything[:-30])
        sleep(0.05)
        connection.sendall(everything[-30:])
        connection.shutdown(socket.SHUT_WR)

    with served(answer) as port:
        stream = Stream(port, "game", 0)
        while stream.read(counts=True):
            pass
        stream.close()

    assert (stream.begun, stream.version) == (7, 11)
    assert stream.lost == 2
    assert len(stream.milliseconds) == 2
