"""Reading archived games costs their files once, however many ask for an entry of them."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from service.archive.files import CACHED_BYTES
from service.platform.targets import Target
from service.play.budgets import MOST_BYTES, MOST_ENTRIES
from tests.support.archiving import Installation


@pytest.fixture
def fetched(in_folder: Installation, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The name of every file that is read from the target."""
    names: list[str] = []
    kind: type[Target] = type(in_folder.target)
    real = kind.read

    def read(self: Target, name: str) -> bytes:
        names.append(name)
        return real(self, name)

    monkeypatch.setattr(kind, "read", read)
    return names


def test_many_who_ask_for_one_entry_read_the_file_once(in_folder: Installation, fetched: list[str]) -> None:
    """At the same time, and one after the other."""
    games = [in_folder.archived(seed) for seed in (1, 2)]
    fetched.clear()
    with ThreadPoolExecutor(16) as threads:
        for game in games:
            found = set(threads.map(lambda _, game=game: in_folder.store.read(game.id, 4, 1), range(32)))
            assert len(found) == 1
    assert len(fetched) == 2


def test_some_of_the_longest_games_are_kept(in_folder: Installation) -> None:
    """Whoever goes round among three of them does not have each read again and again."""
    game = in_folder.archived()
    tombstone = in_folder.store.archiving.tombstone(game.id)
    assert tombstone is not None
    lines = in_folder.files.lines(tombstone)
    log = game.recorded.log
    beside = (sum(map(len, lines)) - sum(len(each.data) + len(each.command) for each in log)) / len(log)
    assert beside > 0
    assert 3 * (MOST_BYTES + MOST_ENTRIES * beside) <= CACHED_BYTES
