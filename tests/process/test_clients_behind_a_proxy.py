"""Behind a trusted proxy each client is counted by its address, in every form that a proxy writes.

Forms: `X-Forwarded-For` as application gateways write it (with a port), brackets and quotes as in RFC 7239,
section 6, IPv4-mapped addresses (RFC 4291, section 2.5.5.2), zone ids (RFC 4007, section 11).
"""

from collections.abc import Iterator
from itertools import count

import pytest

from tests.support.http_play import Answer
from tests.support.processes import Service

ALLOWED = 2
FRESH = count(1)
"""The part of an address that no test has used."""


@pytest.fixture(scope="module")
def proxied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Yield a service behind one trusted proxy that lets an address read twice a day."""
    with Service(tmp_path_factory.mktemp("proxied")) as running:
        running.start(
            "store",
            "web",
            FIELDBOOK_TRUSTED_PROXIES="1",
            FIELDBOOK_LIMITS=f"reads.address={ALLOWED}/99999",
            WEB_PROCESSES="1",
        )
        running.await_ready()
        yield running


def read(service: Service, forwarded: str, **more: str) -> Answer:
    """Read a list for a client that the proxy names so."""
    return service.api.call("GET", "/v1/tournaments", headers={"X-Forwarded-For": forwarded, **more})


def spend(service: Service, forwarded: str) -> None:
    """Spend all that a client may read."""
    answers = [read(service, forwarded).status for _ in range(ALLOWED + 1)]
    assert answers == [200] * ALLOWED + [429]


FORMS = {
    "port": ("203.0.113.{n}:4711", "198.51.100.{n}:4711"),
    "brackets": ("[2001:db8:1:{n}::1]", "[2001:db8:2:{n}::1]"),
    "brackets and port": ("[2001:db8:3:{n}::1]:443", "[2001:db8:4:{n}::1]:443"),
    "quotes": ('"[2001:db8:5:{n}::1]:443"', '"[2001:db8:6:{n}::1]:443"'),
    "IPv4 in IPv6": ("::ffff:203.0.113.{n}", "::ffff:198.51.100.{n}"),
    "IPv4 in IPv6, translated": ("64:ff9b::203.0.113.{n}", "64:ff9b::198.51.100.{n}"),
    "zone": ("2001:db8:7:{n}::1%eth0", "2001:db8:8:{n}::1%eth0"),
    "spaces": ("192.0.2.1 ,  203.0.113.{n}:1  ", "192.0.2.1 ,  198.51.100.{n}:1  "),
    "a quote that a client left open": ('"192.0.2.1, 203.0.113.{n}', '"192.0.2.1, 198.51.100.{n}'),
}


@pytest.mark.parametrize("form", FORMS)
def test_two_clients_are_two(proxied: Service, form: str) -> None:
    """One client does not spend the quota of another."""
    number = next(FRESH)
    one, other = (each.format(n=number) for each in FORMS[form])
    spend(proxied, one)
    assert read(proxied, other).status == 200


def test_one_client_is_one_in_every_form(proxied: Service) -> None:
    """Another port, other brackets or another way to write the address do not renew a quota."""
    number = next(FRESH)
    spend(proxied, f"203.0.113.{number}:4711")
    for same in (
        f"203.0.113.{number}",
        f"203.0.113.{number}:4712",
        f"::ffff:203.0.113.{number}",
        f"[::FFFF:203.0.113.{number}]:80",
        f"192.0.2.200, 203.0.113.{number}",
    ):
        assert read(proxied, same).status == 429, same
    spend(proxied, f"2001:db8:9:{number}::1")
    assert read(proxied, f"[2001:0DB8:9:{number}:0::2]:1").status == 429


def test_invalid_entries_do_not_share_a_quota(proxied: Service) -> None:
    """Each is a client of its own, told apart by its text: issue 43, item 13."""
    number = next(FRESH)
    spend(proxied, "192.0.2.1, unknown")
    spend(proxied, "192.0.2.1, _hidden")
    assert read(proxied, "192.0.2.2 , unknown ").status == 429
    for other in ("203.0.113.1:", "203.0.113.1:x", "203.0.113.999", "[::1", "x" * 8000, "x" * 8001, "é"):
        assert read(proxied, f"192.0.2.1,{other}").status == 200, other[:20]
    assert read(proxied, f"203.0.113.{number}").status == 200


def test_without_an_entry_a_request_counts_for_the_connection(proxied: Service) -> None:
    """An empty entry names no client and no text to tell clients apart by."""
    assert [read(proxied, entry).status for entry in ("", " ", "192.0.2.3, ")] == [200] * ALLOWED + [429]
    assert read(proxied, "127.0.0.1").status == 429


LONG_HEADERS = {
    "X-Forwarded-For": ("x," + " " * 8000 + "[", '"' * 8000, "[" * 8000, "1." * 4000, ":" * 8000),
    "X-Request-Id": ("fb" * 4000, "a" * 8000),
    "Traceparent": ("00-" + "0" * 8000, "00-" + "-" * 8000),
    "Idempotency-Key": ('"' * 8000, "a" * 8000 + '"'),
    "If-None-Match": ('"' * 8000, 'W/"' * 2600, " " * 7000 + "x"),
    "If-Match": ('"1-' + "/" * 8000, "1" * 8000),
    "Accept": ("a/b;" * 2000, "a/b;q=" + " " * 7000 + '"', ";" * 8000, '"\\' * 2600),
    "Authorization": ("Bearer" + " " * 7000 + "x", "Basic " + "=" * 7000),
    "Content-Type": ("a/b;" + " " * 7000 + '"', 'a/b;c="' + "\\" * 7000),
    "Cookie": ("a=" + '"' * 7000, ";" * 7000, "a=" + " " * 7000 + '"'),
    "Range": ("bytes=" + "0-," * 2600, "bytes=" + " " * 7000 + "x"),
    "Accept-Language": ("de;q=" + " " * 7000 + "x", "a-" * 3500),
    "Origin": ("http://" + ":" * 8000 + "@",),
}


@pytest.mark.parametrize("name", LONG_HEADERS)
def test_long_headers_do_not_stop_the_service(proxied: Service, name: str) -> None:
    """A header of 8 kB takes work that is linear in its length: the request, and the one after it, are answered."""
    number = next(FRESH)
    for text in LONG_HEADERS[name]:
        headers = {"X-Forwarded-For": f"192.0.2.4, {number}", name: text}
        assert proxied.api.call("GET", "/v1/games/none", headers=headers).status < 500, text[:20]
    assert proxied.api.call("GET", "/healthz").status == 200


def test_forwarded_is_not_believed(proxied: Service) -> None:
    """A proxy that sets `X-Forwarded-For` passes a client's own `Forwarded` (RFC 7239) on as it is."""
    number = next(FRESH)
    spend(proxied, f"203.0.113.{number}")
    assert read(proxied, f"203.0.113.{number}", Forwarded="for=192.0.2.77").status == 429
