"""A table that is late counts against those it waits for, whatever they do in the last second."""

from pathlib import Path

from tests.service.in_process import InProcess
from tests.support.hosted_tournaments import HostedTournament
from tests.support.http_play import Answer, Party

MIDDLE = 1260


def pause(party: Party, seat: int) -> Answer:
    """Open a case that pauses the game, as this seat."""
    body = {"reason": "other", "text": "Wait.", "version": 2, "pause": True}
    return party.api.call("POST", f"/v1/games/{party.game}/disputes", body, token=party.tokens[seat])


def on_turn(party: Party) -> int:
    """Return the seat for which the game waits."""
    (seat,) = party.legal(0)["waiting_for"]
    return int(seat)


def names(hosted: HostedTournament) -> dict[int, str]:
    """Return who sits where at the table of Ada and Bob."""
    return {hosted.seat(name)["seat"]: name for name in ("ada", "bob")}


def test_a_pause_does_not_turn_a_loss_into_a_shared_result(api: InProcess, tmp_path: Path) -> None:
    """The seat on turn pauses and is late all the same; the other one gets the middle (issue 43, item 7)."""
    hosted = HostedTournament(api, ["ada", "bob"], late_after=60)
    party = hosted.table_of("ada", "bob")
    late = on_turn(party)
    sitting = names(hosted)
    assert pause(party, late).status == 201
    hosted.move_on(after=61)
    assert hosted.points() == {sitting[late]: 0, sitting[1 - late]: MIDDLE}
    assert hosted.audit(tmp_path) == 0


def test_who_has_it_paused_while_another_seat_is_on_turn_does_not_make_that_seat_late(
    api: InProcess, tmp_path: Path
) -> None:
    """The seat on turn cannot play: both get the middle, until an arbiter rules."""
    hosted = HostedTournament(api, ["ada", "bob"], late_after=60)
    party = hosted.table_of("ada", "bob")
    assert pause(party, 1 - on_turn(party)).status == 201
    hosted.move_on(after=61)
    assert set(hosted.points().values()) == {MIDDLE}
    assert hosted.audit(tmp_path) == 0


def test_a_question_in_the_last_second_makes_nobody_else_late(api: InProcess, tmp_path: Path) -> None:
    """Who asks to take something back is late as before; the seat that could answer is not."""
    hosted = HostedTournament(api, ["ada", "bob"], late_after=60)
    party = hosted.table_of("ada", "bob")
    late = on_turn(party)
    sitting = names(hosted)
    path = f"/v1/games/{party.game}"
    sent = api.call("POST", f"{path}/commands", {"type": "plant", "field": 0}, token=party.tokens[late])
    assert sent.status == 200
    version = api.get(f"{path}/take-backs", party.tokens[late])["versions"][0]["version"]
    asked = {"to_version": version, "seen_confirmed": True}
    assert api.call("POST", f"{path}/take-backs", asked, token=party.tokens[late]).status == 200
    hosted.move_on(after=61)
    assert hosted.points() == {sitting[late]: 0, sitting[1 - late]: MIDDLE}
    assert hosted.audit(tmp_path) == 0
