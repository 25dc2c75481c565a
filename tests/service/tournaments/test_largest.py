"""The largest tournament that the limits allow: how long its log, and how large what everybody is shown, can be."""

import msgspec

from events.rules.definition.names import LONGEST_NAME as LONGEST_SEAT_NAME
from events.tournaments import commands as c
from events.tournaments.entries import next_entries
from events.tournaments.limits import (
    LONGEST_NAME,
    MOST_PLAYERS,
    MOST_ROUNDS,
    MOST_RULINGS,
    most_entries,
)
from events.tournaments.state import PLAYED, Outcome, Player, Round, Table, Tournament
from service.http.follow.tournament_bodies import describe_tournament
from service.tournaments.listing import LARGEST_SHOWN
from service.tournaments.tournaments import TournamentLog
from tests.events.tournaments.given import ORGANISER, START, Host, settings

GAME = "abcdefghijklmnop-r64-t256"
LONGEST_ID = 96


def test_a_log_has_no_more_entries_than_the_limits_allow() -> None:
    """Everybody withdraws while the last round is played, and each table is ruled about as often as may be."""
    host = Host(settings("swiss", (2,), rounds=2), players=4)
    host.begin()
    host.play_round()
    for player in host.tournament.players:
        host.do(c.WithdrawPlayer(player.player), ORGANISER)
    host.play_round()
    for played in host.tournament.rounds:
        for table in (1, 2):
            for ruling in range(MOST_RULINGS):
                host.do(c.RuleTable(played.number, table, "replaced", "Because.", (0,), (ruling, 0)))
    assert len(host.happened) == most_entries(4, 2)


def test_the_largest_tournament_is_no_larger_than_is_said() -> None:
    """As many players, rounds and tables as there may be, with the longest ids and names."""
    players = tuple(
        Player(f"{number:03}".ljust(LONGEST_ID, "p"), f"{number:03}".ljust(LONGEST_SEAT_NAME, "n"))
        for number in range(MOST_PLAYERS)
    )
    outcome = Outcome(PLAYED, (0,), (100, 99))
    tables = tuple(
        Table((one.player, other.player), GAME, outcome)
        for one, other in zip(players[::2], players[1::2], strict=True)
    )
    host = Host(settings("duplicate", (2,), MOST_ROUNDS, name="A" * LONGEST_NAME))
    rounds = tuple(
        Round(number + 1, START, "a" * 64, tables, (), "b" * 64, is_closed=True, secret="c" * 64)
        for number in range(MOST_ROUNDS)
    )
    largest: Tournament = msgspec.structs.replace(
        host.tournament, players=players, rounds=rounds, key="d" * 64
    )
    entries = next_entries("t", None, host.happened)
    body = msgspec.json.encode(describe_tournament(TournamentLog(tuple(entries), largest, 0), {}))
    assert LARGEST_SHOWN * 0.75 < len(body) <= LARGEST_SHOWN
