"""What a game's log may take: budgets of each seat, and a cap with room to play to the end (docs/operating.md)."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from events.commands import Command, SwapHand
from events.game.log_facts import LogFacts
from events.game.table import Table
from events.rules.legal import legal_commands
from events.rules.systems.registry import BY_KEY
from events.rules.table.waiting import waiting_for
from replay.verification.verify import verify_lines
from service.bot_seats.bot_players import BotPlayers
from service.http.context.services import EXTENSION
from service.http.resources.game import commands
from service.http.short_way import sending
from service.play import budgets
from service.play.budgets import is_within_budget
from tests.service.in_process import InProcess
from tests.support.http_play import Answer, Party
from tests.support.second_verifier import SecondVerifier
from tests.support.strategies import Dice, fill, opening, play_on

BOTH_WAYS = True
EMOJI = {"type": "say", "text": "🫘" * 500}
HELLO = {"type": "say", "text": "hello"}
PLANT = {"type": "plant", "field": 0}
OFFER = {"type": "offer", "to": 1, "want": {"blue": 1}}


def send(api: InProcess, party: Party, body: Any, seat: int = 0) -> Answer:
    """Send commands to the game as a seat."""
    return api.call("POST", f"/v1/games/{party.game}/commands", body, token=party.tokens[seat])


def send_until_refused(api: InProcess, party: Party, body: Sequence[Any], seat: int) -> tuple[int, Any]:
    """Send the same again and again; how many were applied, and the problem that ended it."""
    applied = 0
    for _ in range(200):
        answer = send(api, party, body, seat)
        if answer.status != 200:
            return applied, answer.json
        applied += answer.json["applied"]
        if answer.json["stopped"] is not None:
            return applied, answer.json["stopped"]
    raise AssertionError("nothing is ever refused")


def listed(party: Party, seat: int = 0) -> set[str]:
    """The types of what a seat may send."""
    return {each["type"] for each in party.legal(seat)["commands"]}


def test_what_the_service_accepts_every_verifier_reads(
    api: InProcess, second_verifier: SecondVerifier
) -> None:
    """Every seat says all that it may, as long as it may be; then the game goes on to its end, and verifies."""
    party = api.people()
    for seat in range(3):
        applied, problem = send_until_refused(api, party, [EMOJI] * 10, seat)
        assert problem["code"] == "talk_budget_spent"
        assert problem["section"] == "Fieldbook, house rule"
        assert applied < budgets.MOST_TALK
        assert "say" not in listed(party, seat)
    party.play()

    record = api.call("GET", f"/v1/games/{party.game}/record").body
    assert verify_lines(record.splitlines(keepends=True)).ok
    assert second_verifier.report(record)["ok"]


def test_short_messages_are_counted(api: InProcess) -> None:
    """A thousand of one seat; the others still talk, and the seat plays on."""
    party = api.people()
    applied, problem = send_until_refused(api, party, [HELLO] * 20, 0)
    assert (applied, problem["code"]) == (budgets.MOST_TALK, "talk_budget_spent")
    assert send(api, party, HELLO, 1).status == 200
    assert send(api, party, PLANT).status == 200


def test_offers_and_what_is_made_of_them_are_counted(api: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """Offers, refusals and withdrawals; what is legal says the same, and accepting goes on."""
    monkeypatch.setattr(budgets, "MOST_TRADING", 4)
    party = api.people()
    for command in (PLANT, {"type": "reveal"}, OFFER):
        assert send(api, party, command).status == 200
    (offer,) = (each for each in api.get(f"/v1/games/{party.game}")["offers"])
    assert send(api, party, {"type": "withdraw", "offer": offer["offer"]}).status == 200
    assert {"offer", "withdraw"} & listed(party) == {"offer"}
    assert send(api, party, [OFFER, OFFER]).json["applied"] == 2
    refused = send(api, party, OFFER)
    assert (refused.status, refused.json["code"]) == (422, "trading_budget_spent")
    assert not {"offer", "withdraw", "counter", "decline"} & listed(party)
    assert {"end_trading", "say"} <= listed(party)


def test_a_hand_is_not_swapped_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """`ladybohn-expansion`, fans: a hand of the right size goes to and fro as often as one likes."""
    monkeypatch.setattr(budgets, "MOST_TRADING", 2)
    begun = opening("fans", 3, {}, system="ladybohn-expansion").table
    swapping = next(each for each in _moves_to_trading(begun) if any(_swaps(each)))
    seat, swap = next(iter(_swaps(swapping)))
    table = swapping
    for _ in range(2):
        table, _ = table.submit(seat, swap, 0)
    assert is_within_budget(swapping, seat, swap)
    assert not is_within_budget(table, seat, swap)
    assert is_within_budget(table, (seat + 1) % 3, swap)


def _moves_to_trading(table: Table) -> Iterator[Table]:
    return (step.after for step in play_on(table, Dice("fans")))


def _swaps(table: Table) -> Iterator[tuple[int, SwapHand]]:
    for seat in range(table.rules.players):
        for each in legal_commands(table.rules, table.state, seat):
            if isinstance(each, SwapHand):
                yield seat, each


@pytest.mark.parametrize("system", BY_KEY)
def test_a_full_log_has_room_to_play_to_the_end(system: str) -> None:
    """Without what is limited every game ends, in far less than what is kept for that, whoever plays how."""
    players = max(BY_KEY[system].players)
    begun = opening(f"room {system}", players, {}, system=system).table
    begun, dice = (
        replace(begun, log=LogFacts(size=budgets.ROOMY_BYTES, hidden=budgets.ROOMY_HIDDEN)),
        Dice(f"room {system}"),
    )
    table = begun
    while table.state.status == "running":
        seat = dice.pick(waiting_for(table.state))
        legal = legal_commands(table.rules, table.state, seat)
        allowed = [each for each in legal if is_within_budget(table, seat, each)]
        chosen = dice.pick(allowed)
        command = chosen if isinstance(chosen, Command) else fill(chosen, dice)
        table, _ = table.submit(seat, command, 0)
    assert table.version - begun.version < (budgets.MOST_ENTRIES - budgets.ROOMY_ENTRIES) // 4
    assert table.log.size - begun.log.size < (budgets.MOST_BYTES - budgets.ROOMY_BYTES) // 4
    assert table.log.hidden - begun.log.hidden < (budgets.MOST_HIDDEN - budgets.ROOMY_HIDDEN) // 4


def test_a_full_log_takes_what_ends_the_game_and_then_nothing(
    api: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of entries, of bytes and of hidden values; the refusal says what to do, and what is legal agrees with it."""
    party = api.people()
    for name in ("ROOMY_ENTRIES", "ROOMY_BYTES", "ROOMY_HIDDEN"):
        with monkeypatch.context() as changed:
            changed.setattr(budgets, name, 1)
            refused = send(api, party, HELLO)
            assert (refused.status, refused.json["code"]) == (422, "log_full")
            assert listed(party) == {"plant", "resign"}
    monkeypatch.setattr(budgets, "ROOMY_ENTRIES", 1)
    assert send(api, party, PLANT).status == 200
    for name in ("MOST_ENTRIES", "MOST_BYTES", "MOST_HIDDEN"):
        with monkeypatch.context() as changed:
            changed.setattr(budgets, name, 1)
            refused = send(api, party, {"type": "reveal"})
            assert (refused.status, refused.json["code"]) == (422, "log_full")
            assert not listed(party)


def test_a_repeated_request_is_answered_the_same_when_the_budget_is_spent(
    api: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Why its second command did not count is worked out on the table that it met."""
    monkeypatch.setattr(budgets, "MOST_TALK", 1)
    party = api.people()
    path, headers = f"/v1/games/{party.game}/commands", {"Idempotency-Key": "both"}
    first, again = (
        api.call("POST", path, [HELLO, HELLO], token=party.tokens[0], headers=headers) for _ in range(2)
    )
    assert (first.json["applied"], first.json["stopped"]["code"]) == (1, "talk_budget_spent")
    assert again.json == first.json


def test_bots_end_their_trading_when_their_offers_are_spent(
    api: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They play on to the end of the game without."""
    monkeypatch.setattr(budgets, "MOST_TRADING", 2)
    bots = [{"name": f"Rob {number}", "kind": "bot", "bot": "greedy"} for number in (1, 2, 3)]
    game = api.create(bots)["game"]
    players = BotPlayers(api.store)
    players.begin(range(api.store.partitions))
    players._restless.add(game)  # noqa: SLF001 - as a feed would say it
    for _ in range(100):
        players.play()
    assert api.get(f"/v1/games/{game}")["status"] == "finished"


def take_back(api: InProcess, party: Party, version: int) -> Answer:
    """Ask to go back, over whatever was seen, and agree as everybody else."""
    body = {"to_version": version, "seen_confirmed": True}
    path = f"/v1/games/{party.game}/take-backs"
    asked = api.call("POST", path, body, token=party.tokens[0])
    if asked.status == 200:
        for seat in (1, 2):
            agreed = api.call("POST", f"{path}/agreement", token=party.tokens[seat])
            assert agreed.status == 200, agreed.body
    return asked


def test_cards_are_not_turned_up_again_and_again(api: InProcess) -> None:
    """Three times a game goes back over cards that were seen, and says how often; where none was seen as ever."""
    party = api.people()
    version = api.get(f"/v1/games/{party.game}")["version"]
    for _ in range(budgets.MOST_REDEALT):
        assert send(api, party, PLANT).status == 200
        assert send(api, party, {"type": "reveal"}).status == 200
        assert take_back(api, party, version).status == 200
    table = api.get(f"/v1/games/{party.game}")
    last = table["version"]
    assert table["redealt"] == table["take_backs"] == budgets.MOST_REDEALT
    assert send(api, party, [PLANT, {"type": "reveal"}]).status == 200
    refused = take_back(api, party, last)
    assert (refused.status, refused.json["code"]) == (422, "take_back_budget_spent")
    assert "drawn or turned up" in refused.json["detail"]
    now = api.get(f"/v1/games/{party.game}")["version"]
    assert send(api, party, OFFER).status == 200
    assert take_back(api, party, now).status == 200
    table = api.get(f"/v1/games/{party.game}")
    assert (table["redealt"], table["take_backs"]) == (budgets.MOST_REDEALT, budgets.MOST_REDEALT + 1)


def test_take_backs_and_questions_are_counted(api: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the game, and of each seat; a question that is declined counts too."""
    monkeypatch.setattr(budgets, "MOST_QUESTIONS", 2)
    party = api.people()
    path = f"/v1/games/{party.game}/take-backs"
    version = api.get(f"/v1/games/{party.game}")["version"]
    assert send(api, party, HELLO).status == 200
    assert send(api, party, PLANT).status == 200
    question = {"to_version": version, "seen_confirmed": True}
    for _ in range(2):
        assert api.call("POST", path, question, token=party.tokens[0]).status == 200
        assert api.call("POST", f"{path}/refusal", token=party.tokens[0]).status == 200
    refused = api.call("POST", path, question, token=party.tokens[0])
    assert (refused.status, refused.json["code"]) == (422, "take_back_budget_spent")
    assert api.call("POST", path, question, token=party.tokens[1]).status == 200
    assert api.call("POST", f"{path}/refusal", token=party.tokens[0]).status == 200
    monkeypatch.setattr(budgets, "MOST_TAKE_BACKS", 0)
    refused = api.call("POST", path, question, token=party.tokens[2])
    assert (refused.status, refused.json["code"]) == (422, "take_back_budget_spent")
    assert "ask_take_back" not in listed(party, 2)


def test_the_facts_of_a_log_are_the_same_however_it_is_read(api: InProcess) -> None:
    """By the process that appended it, and by one that folds it."""
    party = api.people()
    party.dice = random.Random(3)
    party.play(60)
    send(api, party, HELLO)
    other = InProcess(api.store)
    tables = [each.app.extensions[EXTENSION].tables.newest(party.game).table for each in (api, other)]
    assert tables[0].log == tables[1].log
    assert tables[0].log.size > 0
    assert tables[0].log.spent_by(0).talk >= 1


def test_times_never_decrease_whatever_the_clocks_of_the_machines_say(
    api: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`at` in docs/record-format.md."""
    party = api.people()
    assert send(api, party, PLANT).status == 200
    for way in (commands, sending):
        monkeypatch.setattr(way, "now_milliseconds", lambda: 1_000)
    assert send(api, party, HELLO).status == 200
    log = api.store.read(party.game)
    assert log[-1].at == log[-2].at > 1_000
