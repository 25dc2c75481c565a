"""Settings of the store, and the check that a server is as durable as it is said to be."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from events.store.errors import StoreMisconfigured, StoreRefused, StoreUnavailable
from events.store.redis.client.connection import RedisConnection
from events.store.redis.client.pool import Argument
from events.store.redis.redis_store import RedisEventStore
from service.platform.configuration import BadSetting
from service.startup.store_opening import open_store
from service.storage.durability import check_server
from service.storage.levels import Durability
from service.storage.settings import StoreSettings
from tests.events.store.server_contract import setting
from tests.support.servers import RunningStore


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[RedisConnection]:
    """Run a server at level fsync and connect to it."""
    with RunningStore(tmp_path, durability="fsync") as running:
        connection = RedisConnection(running.url)
        yield connection
        connection.close()


def test_without_settings_the_store_is_embedded_and_syncs() -> None:
    """The defaults are the embedded store, a data folder here, and level fsync."""
    settings = StoreSettings.from_environment({"PATH": "", "REDIS_URL": ""})

    assert settings == StoreSettings(
        redis_url=None,
        data_folder=Path.cwd() / "data",
        durability=Durability.FSYNC,
        partitions=None,
        name=None,
        trust_durability=False,
        archive=None,
        archive_options="",
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("FIELDBOOK_DURABILITY", "FSYNC"),
        ("FIELDBOOK_PARTITIONS", "0"),
        ("FIELDBOOK_PARTITIONS", "101"),
        ("FIELDBOOK_PARTITIONS", "four"),
        ("FIELDBOOK_TRUST_DURABILITY", "yes"),
    ],
)
def test_a_setting_that_makes_no_sense_is_refused_by_name(name: str, value: str) -> None:
    """The sentence names the variable."""
    with pytest.raises(BadSetting, match=name):
        StoreSettings.from_environment({name: value})


def test_the_embedded_store_is_found_by_its_data_folder(store_environment: dict[str, str]) -> None:
    """Another process needs nothing but the same environment."""
    store = open_store(StoreSettings.from_environment(store_environment))

    store.ping()
    store.close()


def test_a_store_that_was_never_started_is_waited_for_in_vain(tmp_path: Path) -> None:
    """After the time that was given the sentence says how to start one."""
    settings = StoreSettings.from_environment({"FIELDBOOK_DATA": str(tmp_path)})

    with pytest.raises(StoreUnavailable, match="fieldbook up"):
        open_store(settings, wait_seconds=0.3)


@pytest.mark.parametrize(
    ("name", "value", "declared", "sentence"),
    [
        ("appendonly", "no", Durability.FSYNC, "fsync needs `appendonly yes`"),
        ("appendonly", "no", Durability.LOCAL, "local needs `appendonly yes`"),
        ("appendfsync", "everysec", Durability.FSYNC, "fsync needs `appendfsync always`"),
        ("appendfsync", "no", Durability.LOCAL, "local needs `appendfsync everysec`"),
        ("appendfsync", "always", Durability.REPLICATED, "replicated needs `min-replicas-to-write 1`"),
        ("maxmemory-policy", "allkeys-lru", Durability.MEMORY, "set it to noeviction"),
    ],
)
def test_weaker_settings_than_declared_are_refused(
    connection: RedisConnection, name: str, value: str, declared: Durability, sentence: str
) -> None:
    """The sentence says which setting it is and what to set."""
    with setting(connection, name, value), pytest.raises(StoreMisconfigured, match=sentence):
        check_server(connection, declared, trust=True)


class ServerThatSays(RedisConnection):
    """Stands for servers a test cannot start: answers INFO, and CONFIG GET as a server without persistence."""

    def __init__(self, information: str) -> None:
        """Answer INFO with these lines."""
        super().__init__("redis://127.0.0.1:1")
        self.information = information

    def command(self, *arguments: Argument, repeat: bool = False) -> Any:  # noqa: ARG002
        """Answer without any server."""
        if arguments[0] == "INFO":
            return self.information.replace("\n", "\r\n").encode()
        return [b"name", b"noeviction" if arguments[2] == "maxmemory-policy" else b"no"]


@pytest.mark.parametrize(
    ("information", "sentence"),
    [
        ("# Server\nredis_version:6.2.14", "it is version 6.2.14: use Redis 7.0 or newer, or Valkey 8"),
        ("# Server\nserver:something", "neither Redis nor Valkey"),
        ("redis_version:7.4.0\ndragonfly_version:df-1.2", "neither Redis nor Valkey"),
        ("redis_version:7.4.0\nredis_mode:sentinel", "names a sentinel"),
        ("redis_version:7.2.4\nvalkey_version:9.1.2\nserver_mode:sentinel", "names a sentinel"),
        ("redis_version:7.2.4\nrole:slave", "names a replica"),
    ],
)
def test_a_server_the_log_cannot_live_on_is_refused(information: str, sentence: str) -> None:
    """Too old, another program, a sentinel or a replica: the sentence says what to name."""
    with pytest.raises(StoreMisconfigured, match=sentence):
        check_server(ServerThatSays(information), Durability.MEMORY, trust=True)


@pytest.mark.parametrize("mode", ["redis_mode:standalone", "redis_mode:cluster", "server_mode:cluster"])
def test_any_other_server_will_do(mode: str) -> None:
    """Redis 7.0 and what comes after it, alone or in a cluster, at the level that asks for nothing."""
    check_server(
        ServerThatSays(f"redis_version:7.0.15\n{mode}\nrole:master"),
        Durability.MEMORY,
        trust=False,
    )


@pytest.mark.parametrize("declared", [Durability.MEMORY, Durability.LOCAL, Durability.FSYNC])
def test_settings_as_strong_as_declared_or_stronger_are_accepted(
    connection: RedisConnection, declared: Durability
) -> None:
    """A server at level fsync serves every level but replicated."""
    check_server(connection, declared, trust=False)


def test_a_server_that_hides_its_settings_is_believed_only_on_request(
    connection: RedisConnection, tmp_path: Path
) -> None:
    """Without CONFIG GET nobody can tell; whoever knows better may say so, except about eviction."""
    connection.command("ACL", "SETUSER", "guest", "on", ">word", "~*", "&*", "+@all", "-config")
    address = (tmp_path / "store" / "address").read_text().strip()
    guest = RedisConnection(address.replace("unix://", "unix://guest@") + "?password=word")

    with pytest.raises(StoreMisconfigured, match="FIELDBOOK_TRUST_DURABILITY=1"):
        check_server(guest, Durability.FSYNC, trust=False)
    check_server(guest, Durability.FSYNC, trust=True)
    with (
        setting(connection, "maxmemory-policy", "allkeys-lru"),
        pytest.raises(StoreMisconfigured, match="noeviction"),
    ):
        check_server(guest, Durability.FSYNC, trust=True)
    guest.close()


def test_a_wrong_password_and_a_missing_permission_say_so(
    connection: RedisConnection, tmp_path: Path
) -> None:
    """Neither is an outage: someone has to act."""
    connection.command("ACL", "SETUSER", "guest", "on", ">word", "~*", "&*", "+@all", "-function")
    address = (tmp_path / "store" / "address").read_text().strip()
    guest = address.replace("unix://", "unix://guest@")

    with pytest.raises(StoreRefused, match="password"):
        RedisEventStore.connect(guest + "?password=wrong")
    with pytest.raises(StoreRefused, match="Extend its ACL"):
        RedisEventStore.connect(guest + "?password=word")
