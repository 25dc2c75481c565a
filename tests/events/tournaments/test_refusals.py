"""What is refused in a tournament, and that nothing has happened then; what is asked again changes nothing."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from events.tournaments import commands as c
from events.tournaments import errors, limits
from events.tournaments.scoring.points import BYE
from events.tournaments.scoring.standings import compute_standings
from events.tournaments.state import DUPLICATE, FINISHED, GIVEN_UP, KNOCKOUT, SWISS, Outcome
from tests.events.tournaments.given import MINUTE, ORGANISER, SECRET, Host, settings


def registering() -> Host:
    """Four players, and registration is open."""
    return Host(settings(SWISS, (2,), 2), 4)


def running() -> Host:
    """Four players in the first of two rounds; the first table is started."""
    host = registering()
    host.begin()
    host.start(1)
    return host


def finished() -> Host:
    """All is over."""
    host = registering()
    host.play()
    return host


def result(**others: Any) -> c.FinishTable:
    """How the first table ended."""
    wanted: dict[str, Any] = {
        "round": 1,
        "table": 1,
        "scores": (4, 2),
        "winners": (0,),
        "reason": "exhausted",
    }
    return c.FinishTable(**{**wanted, "version": 9, "hash": "a" * 64, **others})


def ruling(kind: str, **others: Any) -> c.RuleTable:
    """A ruling about the first table."""
    return c.RuleTable(1, 1, kind, others.pop("reason", "It was so."), **others)


REFUSED: list[tuple[Callable[[], Host], c.Command, type[errors.TournamentRefused]]] = [
    (registering, c.CreateTournament(settings(SWISS)), errors.BadSettings),
    (registering, c.RegisterPlayer("p", "", "random"), errors.BadPlayer),
    (registering, c.RegisterPlayer("p", "x" * 41), errors.BadName),
    (registering, c.RegisterPlayer("p", "An\nn"), errors.BadName),
    (registering, c.RegisterPlayer("a b", "Ann"), errors.BadPlayer),
    (registering, c.RegisterPlayer("a/b", "Ann"), errors.BadPlayer),
    (registering, c.RegisterPlayer("..", "Ann"), errors.BadPlayer),
    (registering, c.RegisterPlayer("p" * 97, "Ann"), errors.BadPlayer),
    (registering, c.RegisterPlayer("p", "Ann", seed="a" * 129), errors.BadPlayer),
    (registering, c.RegisterPlayer("p000", "Ann"), errors.AlreadyRegistered),
    (registering, c.RegisterPlayer("p", "PLAYER P000"), errors.BadName),
    (running, c.RegisterPlayer("p", "Ann"), errors.RegistrationOver),
    (registering, c.WithdrawPlayer("p"), errors.NoSuchPlayer),
    (finished, c.WithdrawPlayer("p000"), errors.NotRunning),
    (registering, c.CloseRegistration("ab" * 32), errors.WrongSecret),
    (registering, c.CloseRegistration("nothing"), errors.WrongSecret),
    (registering, c.PairRound(), errors.NotRunning),
    (running, c.PairRound(), errors.RoundOpen),
    (running, c.GiveUpTable(1, 2, " "), errors.BadResult),
    (running, c.GiveUpTable(1, 2, "x" * 201), errors.BadResult),
    (running, c.GiveUpTable(1, 9, "There is none."), errors.NoSuchTable),
    (finished, c.GiveUpTable(1, 1, "It is over."), errors.TableOver),
    (finished, c.PairRound(), errors.NotRunning),
    (running, c.FinishTournament(), errors.RoundOpen),
    (running, c.CloseRound(1), errors.NotOver),
    (running, c.StartTable(1, 3, "g"), errors.NoSuchTable),
    (running, c.StartTable(2, 1, "g"), errors.NoSuchTable),
    (running, c.StartTable(1, 1, "g"), errors.GameTaken),
    (running, c.StartTable(1, 2, "g1-1"), errors.GameTaken),
    (finished, c.StartTable(1, 1, "g"), errors.TableOver),
    (running, result(table=2), errors.BadResult),
    (running, result(scores=(4, 2, 1)), errors.BadResult),
    (running, result(winners=(2,)), errors.BadResult),
    (running, result(winners=(0, 0)), errors.BadResult),
    (running, result(scores=()), errors.BadResult),
    (running, result(left=(1, 0)), errors.BadResult),
    (finished, result(), errors.TableOver),
    (running, c.ForfeitTable(1, 1, (2,)), errors.BadResult),
    (finished, c.ForfeitTable(1, 1, (0,)), errors.TableOver),
    (running, ruling("guilty"), errors.BadRuling),
    (running, ruling("annulled", reason=" "), errors.BadRuling),
    (running, ruling("annulled", winners=(0,)), errors.BadRuling),
    (running, ruling("awarded"), errors.BadRuling),
    (running, ruling("awarded", winners=(5,)), errors.BadRuling),
    (running, ruling("replaced", winners=(0,)), errors.BadRuling),
    (running, ruling("replaced", scores=(1, 2)), errors.BadRuling),
]


@pytest.mark.parametrize(
    ("given", "command", "refusal"),
    REFUSED,
    ids=[f"{given.__name__}-{type(command).__name__}-{n}" for n, (given, command, _) in enumerate(REFUSED)],
)
def test_it_is_refused(
    given: Callable[[], Host], command: c.Command, refusal: type[errors.TournamentRefused]
) -> None:
    """With a sentence, and the tournament stands as it stood."""
    host = given()
    before = host.tournament
    with pytest.raises(refusal, match=r"\.$"):
        host.do(command)
    assert host.tournament == before


@pytest.mark.parametrize(
    "changed",
    [
        {"format": "cup"},
        {"system": "chess"},
        {"sizes": ()},
        {"sizes": (2, 2)},
        {"sizes": (3,)},
        {"rounds": 0},
        {"rounds": limits.MOST_ROUNDS + 1},
        {"late_after": 0},
        {"deals": ("a" * 64,)},
        {"commitment": "secret"},
        {"format": KNOCKOUT},
        {"format": DUPLICATE},
    ],
    ids=str,
)
def test_nobody_could_play_or_check_such_a_tournament(changed: dict[str, Any]) -> None:
    """It is refused when it is announced."""
    with pytest.raises(errors.BadSettings):
        Host(msgspec.structs.replace(settings(SWISS, (2,), 2), **changed))


@pytest.mark.parametrize("name", ["", " ", "x" * 81, "Autumn\nCup", "Autumn\u2028Cup", "Autumn\u034fCup"])
def test_a_tournament_has_a_name_that_shows_on_one_line(name: str) -> None:
    """By the one rule for names."""
    with pytest.raises(errors.BadName):
        Host(msgspec.structs.replace(settings(SWISS, (2,), 2), name=name))


def test_a_table_that_cannot_be_set_up_is_given_up_and_the_round_goes_on() -> None:
    """It decided nothing: its players get what a bye is worth."""
    host = registering()
    host.begin()
    given_up = c.GiveUpTable(1, 1, "There is no such catalogue.")
    host.do(given_up)
    assert host.do(given_up) == ()
    assert host.round.tables[0].outcome == Outcome(GIVEN_UP, reason="There is no such catalogue.")
    with pytest.raises(errors.TableOver):
        host.start(1)
    host.finish(2, 4, 2)
    host.move_on()
    points = {
        row.player: row.points for row in host.tournament.standings or compute_standings(host.tournament)
    }
    assert {points[player] for player in host.tournament.rounds[0].tables[0].players} == {BYE}
    assert len(host.tournament.rounds) == 2


def test_a_table_whose_game_cannot_be_read_is_given_up_as_well() -> None:
    """It has its game, and its result will never be known."""
    host = running()
    host.do(c.GiveUpTable(1, 1, "The log is damaged."))
    assert host.round.tables[0].game
    assert host.round.tables[0].outcome == Outcome(GIVEN_UP, reason="The log is damaged.")


def test_a_duplicate_tournament_names_one_size_and_a_deal_for_each_round() -> None:
    """Tables of different sizes cannot be compared; two rounds never have the same deal."""
    good = settings(DUPLICATE, (4,), 2)
    Host(good)
    for changed in ({"sizes": (4, 5)}, {"deals": good.deals[:1]}, {"deals": (good.deals[0],) * 2}):
        with pytest.raises(errors.BadSettings):
            Host(msgspec.structs.replace(good, **changed))


def test_what_is_asked_again_changes_nothing() -> None:
    """Whoever was killed between two steps may ask for the last one again."""
    host = registering()
    again: list[c.Command] = [
        c.RegisterPlayer("p000", "Player p000", seed="1/0"),
        c.WithdrawPlayer("p003"),
        c.CloseRegistration(SECRET),
        c.StartTable(1, 1, "g"),
        result(),
    ]
    for command in again:
        host.do(command)
        host.move_on()
        before = len(host.happened)
        assert host.do(command) == ()
        assert len(host.happened) == before


def test_a_table_is_late_when_its_time_is_over_and_not_earlier() -> None:
    """What was waited for gets nothing, and the others what a bye is worth."""
    host = Host(settings(SWISS, (2,), 1, late_after=60), 2)
    host.begin()
    late = c.ForfeitTable(1, 1, (1,))
    with pytest.raises(errors.TooEarly):
        host.do(late)
    host.at += MINUTE
    host.do(late)
    host.move_on()
    assert host.tournament.status == FINISHED
    assert host.do(late) == ()


def test_who_withdraws_is_paired_no_more_and_keeps_what_was_played() -> None:
    """A tournament that nobody can be paired in any more is over."""
    host = registering()
    host.begin()
    leaver = host.round.tables[0].players[0]
    host.do(c.WithdrawPlayer(leaver), ORGANISER)
    host.play_round()
    assert host.round.number == 2
    assert leaver not in {player for table in host.round.tables for player in table.players}
    assert len(host.round.byes) == 1
    for player in host.tournament.present:
        host.do(c.WithdrawPlayer(player), ORGANISER)
    host.play_round()
    assert host.tournament.status == FINISHED
    assert all(row.played + row.byes > 0 and row.withdrew for row in host.tournament.standings or ())


def test_the_secret_of_a_duplicate_round_is_opened_when_all_its_tables_are_over() -> None:
    """Not before, and no other one."""
    host = Host(settings(DUPLICATE, (2,), 1), 4)
    host.begin()
    host.finish(1)
    assert not host.round.secret
    host.finish(2)
    with pytest.raises(errors.WrongSecret):
        host.do(c.CloseRound(1, "ab" * 32))
    host.move_on()
    assert host.round.secret


def test_a_table_is_ruled_about_only_so_often_and_a_duplicate_one_with_scores() -> None:
    """Winners without scores are nothing that other tables could be compared with."""
    host = Host(settings(DUPLICATE, (2,), 1), 4)
    host.begin()
    with pytest.raises(errors.BadRuling):
        host.do(ruling("awarded", winners=(0,)))
    for _ in range(limits.MOST_RULINGS):
        host.do(ruling("annulled"))
    with pytest.raises(errors.TooManyRulings):
        host.do(ruling("annulled"))


def test_a_field_has_a_largest_size() -> None:
    """Who comes later has to be told."""
    host = Host(settings(SWISS, (2,), 1))
    for number in range(limits.MOST_PLAYERS):
        host.register(f"p{number}")
    with pytest.raises(errors.TooManyPlayers):
        host.register("p")
