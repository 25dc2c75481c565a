"""Guests of one network cannot use up what all guests have: bounds hold per address and per larger network.

One customer often has a /56 of IPv6 (RFC 6177), a small organisation a /48 or 256 addresses of IPv4.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.support.http_play import Answer
from tests.support.processes import Service

BODY = {"system": "classic", "seats": [{"name": "Ada"}, None, None]}
ALL = 12
"""Games that all guests may have at once."""
NETWORKS = {
    "one /64": lambda number: f"2001:db8:1:1::{number:x}",
    "one /56": lambda number: f"2001:db8:1:{number:02x}::1",
    "one /48": lambda number: f"2001:db8:1:{number:x}00::1",
    "one /24": lambda number: f"203.0.113.{number}",
    "one address with many ports": lambda number: f"203.0.113.1:{number + 1}",
    "IPv4 in IPv6": lambda number: f"[::ffff:203.0.113.{number}]:80",
}


@contextmanager
def started(folder: Path, **settings: str) -> Iterator[Service]:
    """Run a service behind a proxy with these settings."""
    with Service(folder) as running:
        running.start(
            "store", "web", "projector", WEB_PROCESSES="1", FIELDBOOK_TRUSTED_PROXIES="1", **settings
        )
        running.await_ready()
        yield running


def create(service: Service, address: str) -> Answer:
    """Set up a game without a key."""
    return service.api.call("POST", "/v1/games", BODY, headers={"X-Forwarded-For": address})


@pytest.mark.parametrize("network", NETWORKS)
def test_guests_of_one_network_leave_room_for_others(tmp_path: Path, network: str) -> None:
    """It has half of what there is at most; guests of two other networks still set games up."""
    address: Any = NETWORKS[network]
    with started(tmp_path, FIELDBOOK_GUEST_GAMES=str(ALL), FIELDBOOK_LIMITS="off") as service:
        answers = [create(service, address(number)) for number in range(ALL)]
        assert [each.status for each in answers] == [201] * (ALL // 2) + [409] * (ALL // 2)
        assert {each.json["code"] for each in answers[ALL // 2 :]} == {"too_many_games"}
        assert create(service, "2001:db8:2::1").status == 201
        assert create(service, "198.51.100.1").status == 201


def test_guests_of_one_network_share_an_hourly_quota(tmp_path: Path) -> None:
    """Addresses have one each; a /56 has three times, a /48 and a /24 of IPv4 ten times as much."""
    with started(tmp_path, FIELDBOOK_LIMITS="guests=1/3600") as service:
        assert [create(service, f"2001:db8:1:1::{n}").status for n in range(3)] == [201, 429, 429]
        statuses = [create(service, f"2001:db8:1:{n:02x}::1").status for n in range(2, 7)]
        assert statuses == [201, 201, 429, 429, 429]
        statuses = [create(service, f"2001:db8:1:{n:x}00::1").status for n in range(1, 13)]
        assert statuses == [201] * 7 + [429] * 5
        refused = create(service, "2001:db8:1:ff00::1")
        assert refused.json["code"] == "quota_exceeded"
        assert "your network" in refused.json["detail"]
        assert [create(service, f"203.0.113.{n}").status for n in range(12)] == [201] * 10 + [429] * 2
        assert create(service, "2001:db8:2::1").status == 201
        assert create(service, "198.51.100.1").status == 201
