"""Sixty-four clients that send every command three times over a network that loses replies: each counts once."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from events.commands import Say
from replay.client import Fieldbook, PlayerSeat
from tests.support.lossy_network import LossyNetwork
from tests.support.processes import Service

CLIENTS = 64
PLAYERS = 4
COMMANDS = 5
LOST = 0.2
"""The share of replies that the network loses."""


def test_every_command_of_64_retrying_clients_counts_once(service: Service) -> None:
    """Each command goes out twice at the same time and once more later, all with one key; the log has it once.

    The three answers name the same version, whether they were the first or its repetition; the games are set up and
    the seats taken over the same network in the same way.
    """
    with LossyNetwork(service.port, LOST) as network, ThreadPoolExecutor(2 * CLIENTS) as threads:
        address = f"http://127.0.0.1:{network.port}"
        host = Fieldbook(address, service.key(), patience=120)
        games = [
            {host.create_game("classic", [None] * PLAYERS, key=f"game-{number}").game for _ in range(3)}
            for number in range(CLIENTS // PLAYERS)
        ]
        assert all(len(each) == 1 for each in games)
        tables = [game for each in games for game in each]

        everybody = Barrier(CLIENTS)

        def client(number: int) -> None:
            game, name = tables[number // PLAYERS], f"client-{number}"
            player = Fieldbook(address, patience=120)
            first, again = (
                threads.submit(player.take_seat, game, name, key=f"{name}-takes-a-seat") for _ in range(2)
            )
            seat, same = first.result(), again.result()
            everybody.wait(120)
            for place in range(COMMANDS):
                said = Say(f"{name} says {place}")
                key = f"{name}-says-{place}"
                together = Barrier(2)
                answers = [threads.submit(_at_once, together, same, said, key) for _ in range(2)]
                versions = {each.result() for each in answers}
                versions.add(seat.send(said, key=key).version)
                assert len(versions) == 1, said

        with ThreadPoolExecutor(CLIENTS) as clients:
            for done in [clients.submit(client, number) for number in range(CLIENTS)]:
                done.result()

    assert network.lost > CLIENTS
    direct = Fieldbook(f"http://127.0.0.1:{service.port}")
    for place, game in enumerate(tables):
        events = list(direct.events(game))
        said = Counter(event.entry.data["text"] for event in events if event.entry.type == "talked")
        here = range(place * PLAYERS, (place + 1) * PLAYERS)
        assert said == {f"client-{number} says {each}": 1 for number in here for each in range(COMMANDS)}
        seated = Counter(event.entry.data["name"] for event in events if event.entry.type == "seat_taken")
        assert seated == {f"client-{number}": 1 for number in here}


def _at_once(together: Barrier, seat: PlayerSeat, said: Say, key: str) -> int:
    """Send a command when the others do, and return the version that it brought about."""
    together.wait(60)
    return seat.send(said, key=key).version
