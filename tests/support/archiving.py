"""Archives in a real folder and on a real server that speaks S3, and stores that read through them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from events.store.redis.client.connection import RedisConnection
from events.store.redis.redis_store import RedisEventStore
from service.archive.archiving import Archiving, Outcome
from service.archive.attempts import attempt_each
from service.archive.due import review_games
from service.archive.files import ArchiveFiles
from service.http.app import create_app
from service.http.context.services import EXTENSION
from service.jobs.dispatching import Dispatcher
from service.jobs.jobs import validation_report
from service.platform.targets import Target, open_target
from service.projector import Projector
from service.storage.settings import StoreSettings
from service.verification.signing_keys import SigningKeys
from service.verification.store import Validations
from tests.service.in_process import InProcess, Stored
from tests.support.s3_server import BUCKET, RunningS3
from tests.support.servers import empty

NOW = 1_800_000_000_000
"""Long after the recorded games, in milliseconds since the epoch."""


def settings_in(folder: Path) -> StoreSettings:
    """Settings with this data folder."""
    return StoreSettings.from_environment({"FIELDBOOK_DATA": str(folder)})


@pytest.fixture(scope="session")
def s3() -> Iterator[RunningS3]:
    """Run one S3 server for the whole test process."""
    with RunningS3() as running:
        yield running


@pytest.fixture
def folder(tmp_path: Path) -> Target:
    """A folder as a target; the folder itself is there."""
    (tmp_path / "archive").mkdir()
    return open_target(f"file://{tmp_path / 'archive'}")


@pytest.fixture(params=["folder", "s3"])
def target(request: pytest.FixtureRequest, tmp_path: Path) -> Target:
    """Each kind of target in turn, empty."""
    if request.param == "folder":
        found: Target = request.getfixturevalue("folder")
        return found
    server: RunningS3 = request.getfixturevalue("s3")
    return open_target(f"s3://{BUCKET}/{tmp_path.name}", server.options)


class Installation:
    """The application in this process on a store that reads through a target."""

    def __init__(self, url: str, target: Target) -> None:
        """Begin with nothing in the store."""
        empty(url)
        self.url = url
        self.target = target
        self.files = ArchiveFiles(target)
        self.store = RedisEventStore(RedisConnection(url), archived=self.files)
        self.api = InProcess(self.store)
        self.archiving = Archiving(self.store, target)

    def close(self) -> None:
        """Close everything."""
        self.api.close()
        self.store.close()

    def finished(self, seed: int = 1) -> Stored:
        """A short finished game, projected and found valid."""
        game = self.api.stored(seed, most_offers=12)
        self.project()
        Validations(self.store).add(game.id, validation_report(self.store, game.id, NOW))
        return game

    def archived(self, seed: int = 1) -> Stored:
        """A finished game in the archive, of which this process has nothing in memory."""
        game = self.finished(seed)
        self.archiving.archive(game.id, NOW)
        self.forget()
        return game

    def signing_keys_in(self, folder: Path) -> SigningKeys:
        """Keys of this installation in a data folder."""
        return SigningKeys(folder, "fieldbook.test/backup")

    def verified(self) -> list[Outcome]:
        """What `fieldbook archive verify` finds."""
        return list(attempt_each(list(self.archiving.archived()), self.archiving.verify))

    def due(self, now: int, after_seconds: int) -> list[str]:
        """The games that are archived when somebody asks for it now."""
        return [each.game for each in review_games(self.store, now, after_seconds) if not each.stays]

    def run(self) -> list[Outcome]:
        """A run over all games that are due."""
        return list(attempt_each(self.due(NOW, 0), lambda game: self.archiving.archive(game, NOW)))

    def forget(self) -> None:
        """Go on as a fresh process: nothing is cached."""
        self.files = ArchiveFiles(self.target)
        self.store.archiving = type(self.store.archiving)(
            self.store.connection, self.store.functions, self.store.partitions, self.files
        )
        self.api.app.extensions[EXTENSION].streams.close()
        self.api.app = create_app(self.store, "memory", self.api.signing_keys)

    def project(self) -> None:
        """Let a projector catch up."""
        Projector(self.store, Dispatcher(self.store)).catch_up(range(self.store.partitions))

    def stream_is_there(self, game: str) -> bool:
        """Whether the game's stream is in the store."""
        tag = f"{{p{self.store.partition_of(game):02}}}"
        return bool(self.store.connection.command("EXISTS", f"{tag}:game:{game}:log"))


def file_of(installation: Installation, game: str) -> Path:
    """The path of an archived game's file."""
    tombstone = installation.store.archiving.tombstone(game)
    assert tombstone is not None
    return Path(installation.target.address.removeprefix("file://")) / tombstone.file


@pytest.fixture
def installation(redis_url: str, target: Target, monkeypatch: pytest.MonkeyPatch) -> Iterator[Installation]:
    """Yield an installation with an empty store and an empty archive, on each kind of target."""
    monkeypatch.setenv("QUEUE_REDIS_URL", redis_url)
    made = Installation(redis_url, target)
    yield made
    made.close()


@pytest.fixture
def in_folder(redis_url: str, folder: Target, monkeypatch: pytest.MonkeyPatch) -> Iterator[Installation]:
    """Yield an installation whose archive is a folder."""
    monkeypatch.setenv("QUEUE_REDIS_URL", redis_url)
    made = Installation(redis_url, folder)
    yield made
    made.close()
