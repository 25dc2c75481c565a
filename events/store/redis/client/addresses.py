"""What REDIS_URL says: one address, or several of one cluster, all with the same user, password and options."""

import re
from typing import Final, NamedTuple, Self
from urllib.parse import SplitResult, urlsplit

from events.store.errors import StoreRefused

DEFAULT_PORT = 6379
_SERVERS: Final = re.compile(r"[^/?#]*")


class Place(NamedTuple):
    """Where a server listens."""

    host: str
    port: int


class Addresses:
    """The servers that a URL names, such as `redis://user:password@one:7001,two:7001/?option=value`."""

    def __init__(self, url: str, parts: SplitResult) -> None:
        """Take the URL apart."""
        self._url = url
        self._parts = parts
        self._credentials, at, self._hosts = parts.netloc.rpartition("@")
        self._credentials += at

    @classmethod
    def parse(cls, url: str) -> Self:
        """Understand a URL.

        Raises:
            StoreRefused: it cannot be understood.
        """
        # Python refuses an IPv6 address that is not alone between `//` and the path.
        scheme, slashes, rest = url.partition("://")
        servers = _SERVERS.match(rest)
        netloc = servers[0] if servers else ""
        try:
            parts = urlsplit(f"{scheme}{slashes}{rest[len(netloc) :]}")
            return cls(url, parts._replace(netloc=netloc))
        except ValueError as error:
            message = f"REDIS_URL cannot be understood: {error}"
            raise StoreRefused(message) from error

    def each(self) -> tuple[str, ...]:
        """A URL for each server that is named."""
        if "," not in self._hosts:
            return (self._url,)
        return tuple(self._with_netloc(self._credentials + host) for host in self._hosts.split(","))

    def at(self, place: Place) -> str:
        """The URL of another server of the same cluster, which takes the same credentials and options."""
        host = f"[{place.host}]" if ":" in place.host else place.host
        return self._with_netloc(f"{self._credentials}{host}:{place.port}")

    def places(self) -> tuple[Place, ...]:
        """Where the named servers listen.

        Raises:
            StoreRefused: one of them has no host, or an impossible port.
        """
        try:
            parts = [urlsplit(url) for url in self.each()]
            found = tuple(Place(each.hostname or "", each.port or DEFAULT_PORT) for each in parts)
        except ValueError as error:
            message = f"REDIS_URL cannot be understood: {error}"
            raise StoreRefused(message) from error
        if not all(place.host for place in found):
            message = "REDIS_URL must name a host and a port for each node of a cluster."
            raise StoreRefused(message)
        return found

    def _with_netloc(self, netloc: str) -> str:
        return self._parts._replace(netloc=netloc).geturl()
