"""A backup while people and bots play, restored elsewhere: what it holds, and that both installations play on."""

import gzip
import json
import random
from pathlib import Path
from threading import Event, Thread

import pytest

from tests.service.archive.test_commands import BOTS, fieldbook
from tests.support.http_play import Party, events_of
from tests.support.processes import EVERYTHING, Service
from tests.support.servers import eventually

CLIENTS = 8
PEOPLE = [{"name": name} for name in ("Ada", "Bob", "Cleo")]


def heads_in(folder: Path) -> dict[str, tuple[int, str]]:
    """Version and head of each game of a backup, as its lines say."""
    lines = gzip.decompress((folder / "store-0001.ndjson.gz").read_bytes()).splitlines()
    games = [line for line in map(json.loads, lines) if line["type"] == "game"]
    return {line["game"]: (line["version"], line["hash"]) for line in games}


def party(service: Service, key: str, number: int) -> Party:
    """A game of three that has just begun."""
    made = service.api.call("POST", "/v1/games", {"system": "classic", "seats": PEOPLE}, token=key).json
    return Party(service.api, made["game"], [seat["token"] for seat in made["seats"]], random.Random(number))


def play_until(playing: Party, stopping: Event) -> None:
    """Play until told to stop, or to the end."""
    while not stopping.is_set() and not playing.play(1):
        pass


@pytest.mark.soak
def test_play_goes_on_during_a_backup_and_after_a_restore(tmp_path: Path) -> None:
    """With 8 clients: every game stands in it as it stood at the cut, and is played on there with the old tokens.

    What was acknowledged before the backup began is in it; what is in it was acknowledged in the same words.
    """
    folders = [tmp_path / name for name in ("first", "second")]
    for folder in folders:
        folder.mkdir()
    with Service(folders[0]) as first, Service(folders[1]) as second:
        first.start(*EVERYTHING)
        first.await_ready()
        key = first.key()
        bots = first.api.call("POST", "/v1/games", {"system": "classic", "seats": BOTS}, token=key).json[
            "game"
        ]
        parties = [party(first, key, number) for number in range(CLIENTS)]
        stopping = Event()
        threads = [Thread(target=play_until, args=(each, stopping)) for each in parties]
        for thread in threads:
            thread.start()
        try:
            eventually(lambda: all(each.acknowledged for each in parties), seconds=60)
            acknowledged = {each.game: dict(each.acknowledged) for each in parties}
            done = fieldbook(first, "backup", str(tmp_path / "backup"))
            restored = fieldbook(second, "restore", str(tmp_path / "backup"))
            after = {each.game: len(each.acknowledged) for each in parties}
            eventually(lambda: any(len(each.acknowledged) > after[each.game] for each in parties), seconds=60)
        finally:
            stopping.set()
            for thread in threads:
                thread.join()
        assert (done.exit_code, restored.exit_code) == (0, 0), done.stderr + restored.stderr
        assert f"Backed up: {CLIENTS + 1} games" in done.stdout
        assert f"Restored: {CLIENTS + 1} games" in restored.stdout
        again = fieldbook(second, "restore", str(tmp_path / "backup"))
        assert again.exit_code == 2
        assert "data folder" in again.stderr or "not empty" in again.stderr

        second.start(*EVERYTHING)
        second.await_ready()
        cut = heads_in(tmp_path / "backup")
        assert set(cut) == {bots, *acknowledged}
        for each in parties:
            version, head = cut[each.game]
            assert version >= max(acknowledged[each.game])
            here, there = events_of(first.api, each.game), events_of(second.api, each.game)
            assert [event["hash"] for event in there] == [event["hash"] for event in here[:version]]
            assert there[-1]["hash"] == head
            assert all(here[number - 1]["hash"] == known for number, known in each.acknowledged.items())
        for each in parties:
            goes_on = Party(second.api, each.game, each.tokens, random.Random(each.game))
            assert goes_on.play(3) or max(goes_on.acknowledged) > cut[each.game][0]
        eventually(
            lambda: (
                second.api.call("GET", f"/v1/games/{bots}").json["version"] > cut[bots][0]
                or second.api.call("GET", f"/v1/games/{bots}").json["status"] == "finished"
            ),
            seconds=60,
        )
        eventually(lambda: len(second.api.call("GET", "/v1/games").json["games"]) == CLIENTS + 1, seconds=60)
