"""A game at a service: what its addresses look like, its record, and its events while it goes on.

Whoever asks gets what the service's rules about roles let them see. Nothing that comes back is believed: it is a
record like any other. Redirections are not followed, so a key goes to nobody but the host that was named.
"""

import re
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qs, quote, unquote, urlencode, urlsplit

from events.log.disclosure import Form
from replay.client.following import ChainBroken, event_form, follow_events
from replay.client.problems import NotTheService, Problem, Unreachable
from replay.client.transport import Transport
from replay.platform.safe_text import safe
from replay.records.report import Discrepancy

PATIENCE: Final = 15.0
"""Seconds for which a request without an answer is repeated."""
TIMEOUT: Final = 90.0
"""Seconds that one try may be silent: longer than the wait for an event."""
WAIT: Final = 20
"""Seconds for which one request waits for an event."""
_PATH: Final = re.compile(r"(?P<base>.*?)/(?:v1/)?games/(?P<game>[^/]+)(?:/.*)?")


class SourceUnreadable(Exception):
    """There is no such file or game, or it cannot be read; the message says which and why."""


@dataclass(frozen=True, slots=True)
class GameAddress:
    """A game at a service.

    Attributes:
        service: the address of the service, such as `https://example.org`.
        game: the game's id.
        viewer: whose view the address asks for with `?as=`; empty for what the service chooses.
    """

    service: str
    game: str
    viewer: str = ""

    @property
    def path(self) -> str:
        """The path of the game at the service."""
        return f"/v1/games/{quote(self.game, safe='')}"


def parse_address(source: str) -> GameAddress | None:
    """The game that a source names: None where it is no address at all.

    Its own address will do, and every one below it, with or without `/v1`.

    >>> parse_address("https://example.org/v1/games/g7/record?as=public")
    GameAddress(service='https://example.org', game='g7', viewer='public')
    >>> parse_address("game.ndjson")

    Raises:
        SourceUnreadable: it is an address, but of no game.
    """
    if not source.lower().startswith(("http://", "https://")):
        return None
    wrong = SourceUnreadable(
        f"{safe(source, 200)} is no address of a game, such as https://host/v1/games/<id>."
    )
    try:
        parts = urlsplit(source)
        named = _PATH.fullmatch(parts.path) if parts.hostname and parts.port != 0 else None
    except ValueError as error:
        raise wrong from error
    if named is None or parts.username is not None:
        raise wrong
    viewer = parse_qs(parts.query).get("as", [""])[0]
    return GameAddress(f"{parts.scheme}://{parts.netloc}{named['base']}", unquote(named["game"]), viewer)


def fetch_record(game: GameAddress, token: str | None, most: int) -> bytes:
    """The record of a game as its service gives it to the holder of this token.

    Args:
        game: which one.
        token: a key or the token of a seat or spectator; None for what everybody may see.
        most: bytes at most.

    Raises:
        SourceUnreadable: there is no such game, it is not for this caller, or the service does not answer.
    """
    transport = Transport(game.service, token, patience=PATIENCE, timeout=TIMEOUT, most=most)
    query = f"?{urlencode({'as': game.viewer})}" if game.viewer else ""
    try:
        reply = transport.request(
            "GET", f"{game.path}/record{query}", headers={"Accept": "application/x-ndjson"}
        )
        if "html" in reply.headers.get("content-type", ""):
            raise transport.unexpected(reply, "not a record")
    except (Problem, ValueError) as error:
        raise SourceUnreadable(_describe_failure(game, error)) from error
    finally:
        transport.close()
    return reply.body


def live_forms(
    game: GameAddress, token: str | None, recorded: Iterator[Form], scope: str
) -> Generator[Form, None, None]:
    """The entries of a record, and then those that are added at the service, until the game is over.

    Nothing is left out between the two and nothing comes twice: the service is asked for what follows the last one.

    Args:
        game: which game.
        token: as for the record.
        recorded: the entries of the record as it was fetched.
        scope: the scope of that record; the entries to come are asked for in the same.

    Raises:
        SourceUnreadable: the service refuses or does not answer any more.
        Discrepancy: what it sends does not continue what it sent before.
    """
    version = 0
    for form in recorded:
        version = int(form.entry["version"])
        yield form
    transport = Transport(game.service, token, patience=PATIENCE, timeout=TIMEOUT)
    try:
        for event in follow_events(transport, game.game, version, WAIT, viewer=scope):
            version = event.entry.version
            yield event_form(event)
    except ChainBroken as broken:
        raise Discrepancy("chain", safe(str(broken)), version + 1) from broken
    except (Problem, ValueError) as error:
        raise SourceUnreadable(
            f"{_describe_failure(game, error)} The last entry was version {version}."
        ) from error
    finally:
        transport.close()


def _describe_failure(game: GameAddress, error: Exception) -> str:
    """What went wrong, in a sentence, with nothing in it that the other side could style."""
    shown = _describe(game)
    if isinstance(error, Unreachable):
        return f"{shown} does not answer: {safe(error.detail or error.code, 200)}."
    if isinstance(error, NotTheService):
        return f"{shown} answers with {safe(error.detail, 600)}."
    if not isinstance(error, Problem):
        return f"{shown} answers with something else: {safe(str(error), 200)}."
    detail = safe(error.detail, 300)
    hint = (
        " Its holder's key or token goes into FIELDBOOK_KEY or --key-file."
        if error.status in (401, 403, 404)
        else ""
    )
    return f"{shown} was refused ({error.status} {safe(error.code, 60)}): {detail}{hint}"


def _describe(game: GameAddress) -> str:
    return safe(f"{game.service}{game.path}", 200)
