"""Where nothing is sent, however it is written and whatever a name leads to; and signatures by the convention."""

import ipaddress
import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from events.store.redis.redis_store import RedisEventStore
from service.platform.configuration import WEBHOOK_GIVE_UP, WEBHOOK_NETWORKS, BadSetting
from service.webhooks.delivery import posting
from service.webhooks.delivery.addresses import LOOK_UPS, NEVER_PUBLIC, is_public
from service.webhooks.delivery.posting import post
from service.webhooks.signing import sign_headers
from service.webhooks.store import LEASE_MILLISECONDS
from tests.service.webhooks.conftest import LOOPBACK, Telling
from tests.support.receiver import Receiver
from tests.support.servers import eventually

FORBIDDEN = (
    "127.0.0.1", "127.255.255.254", "0.1.2.3", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254",
    "100.64.0.1", "100.100.100.200", "168.63.129.16", "192.0.0.192", "192.0.2.1", "198.18.0.1", "198.51.100.7",
    "203.0.113.9", "224.0.0.1", "239.1.1.1", "240.0.0.1", "255.255.255.255", "::", "::1", "::ffff:127.0.0.1",
    "::ffff:10.0.0.1", "fe80::1", "fc00::1", "fd00:ec2::254", "fec0::1", "ff02::1", "64:ff9b::7f00:1", "64:ff9b:1::1",
    "2002:7f00:1::", "2001::1", "2001:db8::1", "100::1",
)  # fmt: skip
PUBLIC = ("1.1.1.1", "93.184.216.34", "2606:4700:4700::1111", "2a00:1450:4001::1", "::ffff:1.1.1.1")
ODD = (
    "http://127.1:{port}/",
    "http://2130706433:{port}/",
    "http://0x7f000001:{port}/",
    "http://0177.0.0.1:{port}/",
    "http://localhost:{port}/",
    "http://0:{port}/",
)
"""Ways to write 127.0.0.1 that are no address by their looks."""


def test_special_addresses_are_not_public() -> None:
    """Loopback, private, shared, link-local, metadata, documentation, multicast, reserved; what stands for them."""
    assert [each for each in FORBIDDEN if is_public(ipaddress.ip_address(each))] == []


def test_other_addresses_are_public() -> None:
    """Or nobody could be told anything; no range that is always refused is written wrongly."""
    assert all(is_public(ipaddress.ip_address(each)) for each in PUBLIC)
    assert not any(is_public(each.network_address) for each in NEVER_PUBLIC)


def test_a_special_address_is_refused_at_once(store: RedisEventStore) -> None:
    """Where one can see it."""
    telling = Telling(store, networks=())
    try:
        for address in FORBIDDEN:
            url = f"http://[{address}]/" if ":" in address else f"https://{address}:8443/hook"
            assert telling.make(url, None, 422)["code"] == "webhook_address_forbidden", url
    finally:
        telling.close()


def test_what_a_name_leads_to_is_looked_at_before_anything_is_sent(
    endpoint: Receiver, store: RedisEventStore
) -> None:
    """However loopback is written: the endpoint hears nothing, and the reason is said."""
    telling = Telling(store, networks=())
    try:
        for url in ODD:
            made = telling.make(url.format(port=endpoint.port))
            telling.send()
            path = f"/v1/webhooks/{made['id']}/deliveries"
            shown = telling.api.get(path, telling.api.key)["deliveries"][0]
            assert shown["error"] in {"address_forbidden", "name_not_resolved"}, url
        assert endpoint.received == []
    finally:
        telling.close()


def test_the_connection_goes_to_the_address_that_was_checked(
    endpoint: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that leads elsewhere the next time is asked only once; one of its addresses forbidden, none is used."""
    answers = [["1.1.1.1", "127.0.0.1"], ["127.0.0.1"], ["169.254.169.254"]]

    def resolve(_host: str, port: int, **_more: Any) -> list[Any]:
        kind = socket.AF_INET, socket.SOCK_STREAM, 6, ""
        return [(*kind, (each, port)) for each in answers.pop(0)]

    url, headers = f"http://rebinding.example:{endpoint.port}/", {"webhook-id": "msg_1"}
    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    assert post(url, b'{"type":"x"}', headers, LOOPBACK[:0], key="tests").error == "address_forbidden"
    posted = post(url, b'{"type":"x"}', headers, LOOPBACK, key="tests")
    assert (posted.error, endpoint.received[0].headers["host"]) == ("", f"rebinding.example:{endpoint.port}")
    assert len(answers) == 1


def test_a_redirect_leads_nowhere(endpoint: Receiver) -> None:
    """Neither to an address that would be refused, nor to one that would not."""
    endpoint.ways, endpoint.redirected = ["redirect"], "http://169.254.169.254/latest"
    posted = post(endpoint.url(), b'{"type":"x"}', {"webhook-id": "msg_1"}, LOOPBACK, key="tests")
    assert (posted.error, posted.status, len(endpoint.received)) == ("status", 307, 1)


def test_tls_is_checked(endpoint: Receiver) -> None:
    """An endpoint that does not speak it, or whose certificate is nobody's, is told nothing."""
    posted = post(endpoint.url().replace("http://", "https://"), b"{}", {}, LOOPBACK, key="tests")
    assert posted.error == "tls_failed"
    assert endpoint.received == []


def test_networks_are_configured() -> None:
    """With commas; what is none is refused by name."""
    found = WEBHOOK_NETWORKS.value({"FIELDBOOK_WEBHOOK_NETWORKS": "127.0.0.0/8, fd00::/8"})
    assert [str(each) for each in found] == ["127.0.0.0/8", "fd00::/8"]
    assert WEBHOOK_NETWORKS.value({}) == ()
    with pytest.raises(BadSetting, match="FIELDBOOK_WEBHOOK_NETWORKS"):
        WEBHOOK_NETWORKS.value({"FIELDBOOK_WEBHOOK_NETWORKS": "10.0.0.1/8"})
    assert WEBHOOK_GIVE_UP.value({}) == 24 * 3600
    with pytest.raises(BadSetting, match="FIELDBOOK_WEBHOOK_GIVE_UP"):
        WEBHOOK_GIVE_UP.value({"FIELDBOOK_WEBHOOK_GIVE_UP": "long"})


def test_signatures_are_those_of_standard_webhooks() -> None:
    """The reference vector of the convention's own libraries."""
    headers = sign_headers(
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        "msg_p5jXN8AQM9LWM0D4loKWxJek",
        1614265330,
        b'{"test": 2432232314}',
    )
    assert headers["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_a_resolver_that_does_not_answer_ends_the_attempt_within_its_bound(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Looking the name up is part of the time that an attempt may take, so a webhook's lease covers all of it."""
    answering = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: [answering.wait(60)][:0])
    posted = post(
        "http://slow.example/", b'{"type":"x"}', {"webhook-id": "msg_1"}, LOOPBACK, key="tests", seconds=0.2
    )
    assert not answering.is_set()
    answering.set()
    assert posted.error in {"name_not_resolved", "timeout"}


def test_an_attempt_fits_into_the_lease_of_its_webhook() -> None:
    """Twice over: what an attempt has found out has to be written down before another sender takes over."""
    assert 2 * 1000 * posting.SECONDS <= LEASE_MILLISECONDS


class SlowNames:
    """A resolver for tests: names below `slow.example` have no answer until `answering` is set."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Answer instead of the system's resolver; `hook.example` leads to loopback."""
        self.answering = threading.Event()
        self.looked_up: list[str] = []
        self._system = socket.getaddrinfo
        monkeypatch.setattr(socket, "getaddrinfo", self._resolve)

    def _resolve(self, host: Any, port: Any, *more: Any, **named: Any) -> list[Any]:
        if not str(host).endswith(".example"):
            return self._system(host, port, *more, **named)
        self.looked_up.append(host)
        if host.endswith("slow.example"):
            self.answering.wait(60)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> Iterator[SlowNames]:
    """Yield a resolver some of whose answers are late, and wait for these before the next test."""
    found = SlowNames(monkeypatch)
    yield found
    found.answering.set()
    eventually(lambda: all(each.name != "webhook-look-up" for each in threading.enumerate()))


def test_connecting_has_the_time_that_looking_up_has_left(
    endpoint: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An attempt has one deadline, so it does not last as long as the lease of its webhook."""
    timeouts: list[float] = []

    class Noted(socket.socket):
        def settimeout(self, value: float | None) -> None:
            timeouts.append(value or 0.0)
            super().settimeout(value)

    def resolve(_host: str, port: int, **_more: Any) -> list[Any]:
        threading.Event().wait(0.5)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    monkeypatch.setattr(socket, "socket", Noted)
    url = f"http://hook.example:{endpoint.port}/"
    assert post(url, b'{"type":"x"}', {"webhook-id": "msg_1"}, LOOPBACK, key="tests", seconds=5.0).error == ""
    assert timeouts
    assert timeouts[0] <= 4.5


def test_a_host_without_an_answer_is_looked_up_once_at_a_time(endpoint: Receiver, names: SlowNames) -> None:
    """However often it is tried, other hosts are still looked up."""
    for _ in range(LOOK_UPS + 1):
        posted = post("http://slow.example/", b"{}", {}, LOOPBACK, key="tests", seconds=0.02)
        assert posted.error in {"name_not_resolved", "timeout"}
    assert names.looked_up == ["slow.example"]
    url = f"http://hook.example:{endpoint.port}/"
    assert post(url, b'{"type":"x"}', {"webhook-id": "msg_1"}, LOOPBACK, key="tests").error == ""


def test_a_webhook_does_not_fail_because_other_names_have_no_answer(
    endpoint: Receiver, names: SlowNames, telling: Telling
) -> None:
    """Without a free look-up the delivery waits; it is not counted as an attempt or as a failure."""
    for number in range(LOOK_UPS):
        post(f"http://{number}.slow.example/", b"{}", {}, LOOPBACK, key=f"tests-{number}", seconds=0.02)
    made = telling.make(f"http://hook.example:{endpoint.port}/")
    path = f"/v1/webhooks/{made['id']}/deliveries"
    telling.send(2)
    shown = telling.api.get(path, telling.api.key)["deliveries"][0]
    assert (shown["status"], shown["attempts"], shown["error"]) == ("waiting", 0, None)
    assert telling.shown(made["id"])["failing_since"] is None
    names.answering.set()

    def is_active() -> bool:
        telling.send(1)
        return bool(telling.shown(made["id"])["state"] == "active")

    eventually(is_active)
    assert telling.api.get(path, telling.api.key)["deliveries"][0]["attempts"] == 1
