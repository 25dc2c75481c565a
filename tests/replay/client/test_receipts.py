"""The client keeps what it was shown of a game, and takes no other game for it."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
import pytest
from click.testing import CliRunner

from events.commands import Plant
from events.game.record import RecordBroken
from events.log.disclosure import PUBLIC
from replay.client import Fieldbook, GameSwapped
from replay.client.receipts import MOST_OF_A_GAME, KeptReceipts
from replay.command_line import replay
from replay.verification.verify import verify_lines
from tests.replay.client.test_sources import TOKEN, Service, serving
from tests.support.recorded_games import recorded_game

PLAYED = recorded_game(5, 3, (), 6)
ANOTHER = recorded_game(5, 3, (), 12)
"""It has the same id, and was played otherwise by the same rules."""
GAME = PLAYED.table.game


@pytest.fixture
def swapping() -> Iterator[tuple[Service, Fieldbook]]:
    """A service that shows the game as it was played, and a client that looks at it."""
    service = Service(PLAYED, len(PLAYED.log))
    with serving(service) as address:
        parts = urlsplit(address)
        yield service, Fieldbook(f"{parts.scheme}://{parts.netloc}", TOKEN)


def swap(service: Service) -> None:
    """Let a service go on with another game in the place of the one that it showed."""
    other = Service(ANOTHER, len(ANOTHER.log))
    service.forms, service.header, service.version = other.forms, other.header, other.version


def test_a_game_that_the_service_swaps_is_refused(swapping: tuple[Service, Fieldbook]) -> None:
    """Its record verifies; only who has seen the game knows that it is another one."""
    service, fieldbook = swapping
    assert len(list(fieldbook.events(GAME))) == len(PLAYED.log)
    assert fieldbook.record(GAME) == b"".join(PLAYED.record(PUBLIC))
    swap(service)

    with pytest.raises(GameSwapped, match=f"This is not the game {GAME} that was played here") as swapped:
        fieldbook.record(GAME)

    assert verify_lines(swapped.value.record.splitlines(keepends=True)).ok
    with pytest.raises(GameSwapped):
        list(fieldbook.events(GAME))


def test_who_has_seen_nothing_cannot_tell(swapping: tuple[Service, Fieldbook]) -> None:
    """So nothing is refused, and nothing is claimed; a chain that breaks is refused by everybody."""
    service, fieldbook = swapping
    swap(service)
    assert fieldbook.record(GAME)

    service.forms[3] = msgspec.structs.replace(service.forms[3], hash="0" * 64)
    with pytest.raises(RecordBroken):
        fieldbook.record(GAME)


def test_a_finished_record_that_ends_too_soon_is_refused() -> None:
    """What was seen after its end is missing."""
    kept = KeptReceipts()
    last = len(PLAYED.log)
    kept.hold(GAME, last + 7, "ab" * 32)
    with pytest.raises(GameSwapped, match=f"ends with version {last}"):
        kept.check_record(GAME, b"".join(PLAYED.record(PUBLIC)))


def test_little_is_kept_of_a_long_game() -> None:
    """The first, the newest, and some between them."""
    kept = KeptReceipts()
    for version in range(1, 2001):
        kept.hold("g", version, f"{version:064x}")
    assert len(kept.of("g")) <= MOST_OF_A_GAME
    assert {1, 2000} <= kept.of("g").keys()
    assert any(500 < version < 1500 for version in kept.of("g"))


def test_with_a_folder_signed_receipts_outlive_the_client(
    address: str, fieldbook: Fieldbook, tmp_path: Path
) -> None:
    """They are what `verify --receipt` takes, and a client that is started again holds the game against them."""
    made = fieldbook.create_game("classic", ["Ann", "Ben", "Cat"], options={"start_seat": 0})
    player = Fieldbook(address, receipts=tmp_path / "receipts")
    version = player.seat(made.game, made.seats[0].token or "").send(Plant(field=0)).version

    receipt = tmp_path / "receipts" / f"{made.game}-{version}.receipt"
    record = tmp_path / "game.ndjson"
    record.write_bytes(fieldbook.record(made.game))
    verified = CliRunner().invoke(replay, ["verify", str(record), "--receipt", str(receipt)])
    assert verified.exit_code == 0, verified.output
    again = KeptReceipts(tmp_path / "receipts")
    assert again.of(made.game).keys() == {version}
    with pytest.raises(GameSwapped):
        again.hold(made.game, version, "0" * 64)
