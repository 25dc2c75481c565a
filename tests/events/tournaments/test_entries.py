"""The log of a tournament: chained, read back as it was written, and nothing in it can be changed."""

import re
from collections.abc import Callable

import msgspec
import pytest

from events.tournaments.entries import (
    TournamentEntry,
    TournamentLogBroken,
    next_entries,
    read_entries,
    read_log,
)
from events.tournaments.evolve import fold
from events.tournaments.state import DUPLICATE, KNOCKOUT, LEAGUE, SWISS
from tests.events.tournaments.given import Host, settings


def entries_of(host: Host) -> list[TournamentEntry]:
    """The log of a tournament."""
    return next_entries("t", None, host.happened)


@pytest.mark.parametrize("form", [KNOCKOUT, LEAGUE, SWISS, DUPLICATE])
def test_a_log_is_read_back_as_it_was_written(form: str) -> None:
    """From its stored entries, in two parts, and from a file; folded, it is the tournament that was played."""
    host = Host(settings(form, (4,), 3), 9)
    tournament = host.play()
    entries = entries_of(host)
    stored = [(each.stored, each.hash) for each in entries]
    first = read_entries("t", stored[:7])
    assert [*first, *read_entries("t", stored[7:], first)] == entries
    assert [*read_log(each.line for each in entries)] == entries
    assert fold(each.happened for each in entries) == tournament


def edited(old: str, new: str) -> Callable[[list[bytes]], list[bytes]]:
    """Replace something in every line."""
    return lambda lines: [re.sub(old.encode(), new.encode(), line) for line in lines]


@pytest.mark.parametrize(
    ("forge", "reason"),
    [
        (edited('"scores":\\[\\d+', '"scores":[99'), "hash of entry"),
        (lambda lines: lines[:5] + lines[6:], "is not the one that must follow"),
        (lambda lines: lines[1:], "is not the one that must follow"),
        (lambda lines: [*lines, lines[0]], "is not the one that must follow"),
        (lambda lines: [lines[0], lines[0]], "is not the one that must follow"),
        (edited('"tournament":"t"', '"tournament":"u"'), "hash of entry 1"),
        (edited('"type":"table_started"', '"type":"table_stolen"'), "there is no event"),
        (edited('"hash":"', '"hash": "'), "canonical"),
        (lambda lines: [lines[0][:-1], *lines[1:]], "canonical"),
        (lambda _: [b"[]\n"], "cannot be read"),
        (lambda _: [b"\xff\n"], "cannot be read"),
        (lambda _: [b"[" * 100_000 + b"\n"], "cannot be read"),
        (lambda lines: [lines[0], b'{"entry":' + b" " * 1_000_000 + b"}\n"], "longer"),
    ],
)
def test_a_log_that_was_changed_is_broken(forge: Callable[[list[bytes]], list[bytes]], reason: str) -> None:
    """Whoever reads it is told at which entry, and why."""
    host = Host(settings(SWISS, (2,), 1), 4)
    host.play()
    lines = [each.line for each in entries_of(host)]
    assert [*read_log(lines)]
    with pytest.raises(TournamentLogBroken, match=reason):
        [*read_log(forge(lines))]


def test_a_log_never_goes_back_in_time() -> None:
    """Late tables hang on when a round was paired."""
    host = Host(settings(SWISS, (2,), 1), 4)
    records = [msgspec.structs.replace(each, at=9 - number) for number, each in enumerate(host.happened)]
    with pytest.raises(TournamentLogBroken, match="earlier"):
        [*read_log(each.line for each in next_entries("t", None, records))]


def test_what_is_stored_stays_readable() -> None:
    """The names are the storage format, and pairings are computed anew: one log, by its first line and its head."""
    host = Host(settings(SWISS, (2,), 1))
    assert entries_of(host)[0].line == (
        b'{"entry":{"at":1800000001000,"by":"key_club","data":{"commitment":"'
        b"9985b2e4b9b71b28ce59ea5ce77f0b110637b625c6d7f41e982c9510940a2056"
        b'","format":"swiss","name":"Autumn","rounds":1,"sizes":[2],"system":"bean-duel","tournament":"t"},'
        b'"number":1,"tournament":"t","type":"tournament_created"},"hash":"'
        b'3ab5db35b261ad90f60b29469616cd16c479842cf86f4b7f921970e7151558a8"}\n'
    )
    host = Host(settings(SWISS, (4,), 2), 9)
    host.play()
    assert entries_of(host)[-1].hash == "0131e06c76b64803d7aa7f5ecdb0062284c80925bd5233e6ed88506b3479272c"
