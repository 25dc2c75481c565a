"""Where events may be sent: to addresses of the public internet, and to networks that the operator allows.

A name is resolved once, all its addresses are looked at, and the connection goes to one of these very addresses: what
the name leads to a moment later does not matter.
"""

import ipaddress
import socket
import time
from collections.abc import Sequence
from concurrent.futures import Future
from threading import Lock, Thread
from typing import Final

from service.platform.setting_kinds import Network

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
NEVER_PUBLIC: Final[tuple[Network, ...]] = tuple(
    ipaddress.ip_network(each)
    for each in (
        "100.64.0.0/10",  # shared by a provider's customers (RFC 6598), and a cloud's metadata
        "168.63.129.16/32",  # a cloud's metadata on an address that looks public
        "192.0.0.0/24",
        "192.88.99.0/24",
        "198.18.0.0/15",
        "64:ff9b::/96",  # addresses that stand for other ones: RFC 6052, 8215, 4380, 3056
        "64:ff9b:1::/48",
        "2001::/23",
        "2002::/16",
        "3fff::/20",
        "5f00::/16",
        "fec0::/10",
    )
)
"""What is refused besides all that the registries of IANA call not global."""


LOOK_UPS: Final = 24
"""Maximum number of threads that wait for the system's resolver."""
LOOK_UPS_OF_A_KEY: Final = 3
"""Maximum number of those started for one key: slow names of one integrator leave the others free."""
_look_ups: Final[dict[str, tuple[str, Future[list[str]]]]] = {}
"""By host: the key that the look-up was started for, and its pending answer."""
_look_ups_lock: Final = Lock()


class AddressForbidden(Exception):
    """The host leads to an address to which nothing is sent."""


class NameNotResolved(Exception):
    """The host leads to no address."""


class NoFreeLookUp(Exception):
    """Other hosts take all look-ups, or all those of the key; the host itself was not tried."""


def is_public(address: Address) -> bool:
    """Whether this is an address of the public internet.

    >>> is_public(ipaddress.ip_address("169.254.169.254"))
    False
    """
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        return is_public(address.ipv4_mapped)
    if not address.is_global or address.is_multicast or address.is_reserved or address.is_unspecified:
        return False
    return not any(_is_in(address, network) for network in NEVER_PUBLIC)


def may_be_reached(address: Address, allowed: Sequence[Network]) -> bool:
    """Whether something may be sent to this address."""
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    return is_public(address) or any(_is_in(address, network) for network in allowed)


def resolve(host: str, allowed: Sequence[Network], deadline: float, *, key: str) -> list[str]:
    """Return the addresses of a host, each checked, in the order of preference.

    `deadline` is a moment of `time.monotonic`; `key` is the id of the key whose webhook is at this host.

    Raises:
        NameNotResolved: there is none, or none was found in time.
        NoFreeLookUp: the host was not looked up.
        AddressForbidden: to one of them nothing may be sent; then the host is not trusted at all.
    """
    try:
        found = _look_up(host, deadline, key)
    except (OSError, UnicodeError) as error:
        raise NameNotResolved(str(error)) from error
    addresses = list(dict.fromkeys(found))
    for text in addresses:
        # A zone, such as in fe80::1%eth0, names an interface of this machine.
        if "%" in text or not may_be_reached(ipaddress.ip_address(text), allowed):
            raise AddressForbidden(text)
    return addresses


def _look_up(host: str, deadline: float, key: str) -> list[str]:
    """Return the addresses of a host, as the system knows them.

    The system's own function has no timeout, so a thread waits for it, also after this call has given up. A host that
    is being looked up already is not looked up again: this call waits for the same answer.

    Raises:
        OSError, UnicodeError: also if there was no answer in time.
        NoFreeLookUp
    """
    with _look_ups_lock:
        if host not in _look_ups:
            keys = [each for each, _ in _look_ups.values()]
            if len(keys) >= LOOK_UPS or keys.count(key) >= LOOK_UPS_OF_A_KEY:
                raise NoFreeLookUp(host)
            started = Future[list[str]]()
            Thread(target=_ask, args=(host, started), name="webhook-look-up", daemon=True).start()
            _look_ups[host] = key, started
        _, answer = _look_ups[host]
    return answer.result(seconds_left(deadline))


def _ask(host: str, answer: Future[list[str]]) -> None:
    found: list[str] | OSError | UnicodeError
    try:
        found = [str(each[4][0]) for each in socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)]
    except (OSError, UnicodeError) as error:
        found = error
    finally:
        with _look_ups_lock:
            del _look_ups[host]
    if isinstance(found, list):
        answer.set_result(found)
    else:
        answer.set_exception(found)


def seconds_left(deadline: float) -> float:
    """Return the seconds until this moment of `time.monotonic`.

    Raises:
        TimeoutError: it is over.
    """
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


def is_forbidden_literal(host: str, allowed: Sequence[Network]) -> bool:
    """Whether a host is written as an address to which nothing is sent; of a name nothing is known yet."""
    try:
        return not may_be_reached(ipaddress.ip_address(host.strip("[]")), allowed)
    except ValueError:
        return False


def _is_in(address: Address, network: Network) -> bool:
    return address.version == network.version and address in network
