"""How the values of settings are read: each reader returns the value, or says in a ValueError what it must be."""

import ipaddress
import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from events.transparency.cosignature import WitnessKey


_SECONDS: Final = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}
_DECIMAL: Final = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})?")
_BYTES: Final = {"mb": 1 << 20, "gb": 1 << 30}
_WHOLE: Final = re.compile(r"[0-9]{1,18}")
_SIZE: Final = re.compile(r"([0-9]{1,6})(mb|gb)")
MOST_WITNESSES: Final = 15
"""Witnesses at most: readers of notes take 16 signatures at least."""
_WITNESS: Final = re.compile(r"(?P<key>[^\s+=,]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]{44})=(?P<url>[!-~]{1,500})")
_AGE: Final = re.compile(r"([0-9]{1,9})([smhd]?)")
_ORIGIN: Final = re.compile(r"https?://(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(:[0-9]{1,5})?")
_SERVER: Final = re.compile(r"(\[[0-9a-fA-F:.%]+\]|[^\s:\[\]@/]+)(:([0-9]{1,5}))?")
_LARGEST_PORT: Final = 65535

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def whole(least: int, most: int) -> Callable[[str], int]:
    """Reads a whole number within bounds."""

    def read(text: str) -> int:
        if not _WHOLE.fullmatch(text) or not least <= int(text) <= most:
            raise ValueError(f"a number from {least} to {most}")
        return int(text)

    return read


def whole_or_off(least: int, most: int) -> Callable[[str], int]:
    """Reads a whole number within bounds, or `off`, which stands for 0."""
    read_whole = whole(least, most)

    def read(text: str) -> int:
        try:
            return 0 if text == "off" else read_whole(text)
        except ValueError as error:
            raise ValueError(f"{error}, or off") from error

    return read


def one_of(*choices: str) -> Callable[[str], str]:
    """Reads one of some words."""

    def read(text: str) -> str:
        if text not in choices:
            raise ValueError(", ".join(choices[:-1]) + f" or {choices[-1]}")
        return text

    return read


def switch(text: str) -> bool:
    """Read `on` or `off`."""
    return one_of("on", "off")(text) == "on"


def seconds(text: str) -> float:
    """Read a number of seconds, which need not be whole."""
    if not _DECIMAL.fullmatch(text):
        raise ValueError("a number of seconds")
    return float(text)


def size(text: str) -> int | None:
    """Read a number of bytes: `512mb`, `2gb`, or `half` of the machine's memory; None for `off`.

    >>> size("2gb")
    2147483648
    """
    if text == "half":
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    try:
        return size_or_off(text)
    except ValueError as error:
        raise ValueError("a number with mb or gb after it, such as 512mb, or half, or off") from error


def size_or_off(text: str) -> int | None:
    """Read a number of bytes: `512mb` or `2gb`; None for `off`."""
    if text == "off":
        return None
    found = _SIZE.fullmatch(text)
    if found is None or not int(found[1]):
        raise ValueError("a number with mb or gb after it, such as 512mb, or off")
    return int(found[1]) * _BYTES[found[2]]


def age(text: str) -> int:
    """Read an age as `age_in_seconds` does."""
    try:
        return age_in_seconds(text)
    except ValueError as error:
        raise ValueError("a number with s, m, h or d after it, such as 30d") from error


def age_in_seconds(text: str) -> int:
    """The seconds that `30d`, `12h`, `90m`, `60s` or `60` stand for.

    Raises:
        ValueError: it stands for none.

    >>> age_in_seconds("2h")
    7200
    """
    found = _AGE.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is no age: a number with s, m, h or d after it, such as 30d")
    return int(found[1]) * _SECONDS[found[2]]


def store_address(text: str) -> str:
    """Read the address of a server, or of several servers of a cluster with commas between them; empty for none."""
    scheme, _, rest = text.partition("://")
    netloc = re.split(r"[/?#]", rest, maxsplit=1)[0]
    servers = [_SERVER.fullmatch(each) for each in netloc.rpartition("@")[2].split(",")]
    if scheme == "unix":
        is_address = rest.rpartition("@")[2].startswith("/")
    else:
        is_address = scheme in {"redis", "rediss"} and all(
            each is not None and int(each[3] or 1) in range(1, _LARGEST_PORT + 1) for each in servers
        )
    if text and not is_address:
        raise ValueError(
            "an address such as redis://HOST:6379/0, rediss://HOST:6380 or unix:///run/store.sock"
        )
    return text


def host_and_port(host: str, port: int) -> str:
    """Return both as they are written in an address.

    >>> host_and_port("::1", 8000)
    '[::1]:8000'
    """
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def partitions(text: str) -> int | None:
    """Read a number of partitions; None where the installation decides."""
    # Imported here: most processes start without this setting.
    from events.store.partitions import MOST_PARTITIONS  # noqa: PLC0415

    return whole(1, MOST_PARTITIONS)(text) if text else None


def process_id(text: str) -> int | None:
    """Read the id of a process; None for none."""
    try:
        return whole(1, 2**31 - 1)(text) if text else None
    except ValueError as error:
        raise ValueError("the id of a process") from error


def networks(text: str) -> tuple[Network, ...]:
    """Read networks with commas between them."""
    try:
        return tuple(ipaddress.ip_network(each.strip()) for each in text.split(",") if each.strip())
    except ValueError as error:
        raise ValueError(f"networks with commas between them, such as 10.1.0.0/16 ({error})") from error


def origins(text: str) -> tuple[str, ...]:
    """Read the origins in a list with commas (RFC 6454, section 6.2), or `*`."""
    found = tuple(each.strip().lower() for each in text.split(",") if each.strip())
    if not all(each == "*" or _ORIGIN.fullmatch(each) for each in found):
        raise ValueError(
            "* or origins such as https://beans.example, without a path and with commas between them"
        )
    return found


def json_object(text: str) -> dict[str, Any]:
    """Read a JSON object; empty where there is none."""
    try:
        found = json.loads(text or "{}")
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise ValueError("""a JSON object, such as {"endpoint_url": "https://s3.example"}""")  # noqa: TRY004
    return found


class WitnessAddress(NamedTuple):
    """A witness of the transparency log, and where it is asked."""

    key: "WitnessKey"
    url: str
    """What `/add-checkpoint` is put behind."""


def witnesses(text: str) -> tuple[WitnessAddress, ...]:
    """Read `<key>=<url>` of each witness, with commas, or the file that has one on each line."""
    form = (
        f"up to {MOST_WITNESSES} of <key of a witness>=<http address>, with commas, or a file with one a line"
    )
    if text and "+" not in text:
        try:
            lines = Path(text).read_text(encoding="utf-8").split("\n")
        except (OSError, UnicodeDecodeError) as error:
            raise ValueError(f"{form} (that file cannot be read: {error})") from error
        parts = [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]
    else:
        parts = [part.strip() for part in text.split(",") if part.strip()]
    try:
        found = tuple(_witness(part) for part in parts)
    except ValueError as error:
        raise ValueError(f"{form} ({error})") from error
    if text and not found:
        raise ValueError(f"{form} (no witness is named there)")
    if len(found) > MOST_WITNESSES or len({each.key.public for each in found}) < len(found):
        raise ValueError(f"{form}, each once")
    return found


def _witness(part: str) -> WitnessAddress:
    found = _WITNESS.fullmatch(part)
    if found is None:
        raise ValueError(f"{part[:100]!r} is none")
    url = urlsplit(found["url"])
    if url.scheme not in {"http", "https"} or not url.hostname or url.query or url.fragment or url.username:
        raise ValueError(f"{found['url'][:100]!r} is no such address")
    _ = url.port  # a number that is none is refused here
    return WitnessAddress(_read_key(found["key"]), found["url"].rstrip("/"))


def _read_key(text: str) -> "WitnessKey":
    # Few name a witness, and what signatures take would make every process start later.
    from events.transparency.cosignature import WitnessKey  # noqa: PLC0415
    from events.transparency.signed_note import NoteRefused  # noqa: PLC0415

    try:
        return WitnessKey.parse(text)
    except NoteRefused as refused:
        raise ValueError(str(refused)) from refused
