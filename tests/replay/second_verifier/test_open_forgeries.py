"""What lies open in a public record and cannot be: both verifiers refuse it, at the same entry."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache
from typing import Any

import msgspec
import pytest

from events.game.record import read_record
from events.log.codec import COMMAND_TYPES
from events.log.disclosure import PUBLIC, public_form
from events.rules.systems.registry import BY_KEY, system_named
from replay.client.sources import record_lines
from replay.verification.verify import verify_lines
from tests.replay.verification.forging import Line, parsed, relinked
from tests.replay.verification.test_logs import LOGS
from tests.support.clocked_games import clocked_game
from tests.support.second_verifier import SecondVerifier

REPEATED = """
create_game      game_created          game system players options catalogue commitment people_patience
create_game      game_created          program_patience committed_at clock close_after dealing
take_seat        seat_taken            seat name kind bot bot_seed seed program program_version player
shuffle          pile_shuffled         pile
choose_starting_seat starting_seat_chosen seat
reveal_secret    secret_revealed       secret
plant            bean_planted          field
plant            miss_moved            field miss places
plant            field_barred          field
plant_aside      aside_planted         card field
plant_aside      miss_moved            field miss places
plant_revealed   revealed_planted      card field
harvest          field_harvested       field
harvest          field_paid_from_piles field
harvest          field_rotated         rotate
discard          hand_card_discarded   card
discard_revealed revealed_discarded    card
move_miss        miss_moved            field miss places
offer            offer_made            to hand revealed want want_revealed spare want_spared
counter          offer_made            offer hand revealed want want_revealed spare want_spared
counter          offer_declined        offer
accept           trade_made            offer hand
decline          offer_declined        offer
withdraw         offer_withdrawn       offer
say              talked                text
offer_gift       gift_offered          variety
counter_gift     gift_offered          variety
give_revealed    gift_given            card
give_from_hand   gift_given            card
claim_bonus      bonus_claimed         bonus owner field
discard_bonus    bonus_discarded       bonus
swap_hand        hand_swapped          fan
choose_fan       revealed_put_on_fan   fan
levy             coins_levied          seats
pause_game       game_paused           case reason
resume_game      game_resumed          case
rule_game        ruling_made           case kind arbiter scope reason
rule_game        game_rewound          to_version case
rule_game        game_ended            kind winners scores
ask_take_back    take_back_asked       to_version seen_confirmed
ask_take_back    game_rewound          to_version
expire_time      time_expired          seat deadline offer
expire_time      offer_declined        seat offer
expire_time      take_back_declined    seat
credit_time      time_credited         since until reason
offer_end        end_offered           kind
offer_end        game_ended            kind
close_game       game_closed           reason
close_game       game_ended            reason
"""
"""Each command, an event that it brings about, and the members of the command that the event repeats.

docs/record-format.md names the members of both, docs/rules what each command brings about.
"""


@cache
def public_records() -> list[list[Line]]:
    """Every recorded game as spectators have it, and one with a clock, the shortest first."""
    records = [parsed(clocked_game(2, "classic", 3, silent=2).record(PUBLIC))]
    for path in LOGS:
        with record_lines(str(path)) as lines:
            header, forms = read_record(lines)
            if header.scope != "all":
                continue
            first = msgspec.to_builtins(msgspec.structs.replace(header, scope="public", attached=()))
            entries = [{"entry": public_form(form), "salts": {}, "hash": form.hash} for form in forms]
            end = {"end": len(entries), "hash": entries[-1]["hash"]}
            records.append([msgspec.json.decode(msgspec.json.encode(first)), *entries, end])
    return sorted(records, key=len)


def shortest_begun(system: str) -> list[Line]:
    """The shortest record of a game of this system that was played at all."""
    of_system = (each for each in public_records() if each[1]["entry"]["data"]["system"] == system)
    return next(
        each for each in of_system if any(line.get("entry", {}).get("type") == "turn_began" for line in each)
    )


def groups_of(command: str) -> Iterator[tuple[list[Line], list[int]]]:
    """Each record with a command of this type, and the versions of its events."""
    for record in public_records():
        begun = [place for place, line in enumerate(record) if "command" in line.get("entry", {})]
        for start, end in zip(begun, [*begun[1:], len(record) - 1], strict=True):
            if record[start]["entry"]["command"]["type"] == command:
                yield record, [*range(start, end)]


def findings_in(second: SecondVerifier, record: list[Line]) -> list[tuple[str, int]]:
    """What both verifiers find: the check and the version, of the first one and of the second."""
    forged = relinked(record)
    first, other = verify_lines(forged), second.report(forged)
    assert not first.ok
    assert not other["ok"]
    assert len(other["findings"]) == 1
    return [
        (first.findings[0].check, first.findings[0].version),
        (other["findings"][0]["check"], other["findings"][0]["version"]),
    ]


def another(value: Any) -> Any:
    """A value of the same type that is another one."""
    changes: dict[type, Callable[[Any], Any]] = {
        bool: lambda value: not value,
        int: lambda value: value + 1,
        str: lambda value: value[:-1] + ("0" if value[-1:] != "0" else "1"),
        list: lambda value: [*value[:-1], another(value[-1])],
        dict: lambda value: {name: another(each) for name, each in value.items()},
    }
    return changes[type(value)](value)


def pairs_of(command: str) -> Iterator[tuple[str, str]]:
    """Each member of a command that an event repeats, with the event's type."""
    for row in REPEATED.strip().splitlines():
        named, event, *members = row.split()
        if named == command:
            yield from ((member, event) for member in members)


@pytest.mark.parametrize("command", COMMAND_TYPES)
def test_a_command_that_contradicts_its_event_is_found(second_verifier: SecondVerifier, command: str) -> None:
    """Each member that lies open, where a recorded game has one."""
    tried = 0
    for member, event in dict.fromkeys(pairs_of(command)):
        for record, versions in groups_of(command):
            said = record[versions[0]]["entry"]["command"].get(member)
            found = [version for version in versions if record[version]["entry"]["type"] == event]
            if said in (None, "", []) or (isinstance(said, dict) and "commitment" in said) or not found:
                continue
            forged = deepcopy(record)
            forged[versions[0]]["entry"]["command"][member] = another(said)
            first, second = findings_in(second_verifier, forged)
            assert first == second == ("commands", first[1]), (member, event)
            assert first[1] in versions
            tried += 1
            break
    assert tried or not [*pairs_of(command)] or command in {"discard", "give_from_hand"}


@pytest.mark.parametrize("command", COMMAND_TYPES)
def test_a_command_of_another_kind_is_found(second_verifier: SecondVerifier, command: str) -> None:
    """An event is one that its command brings about; every recorded command brings about what it does."""
    other = "decline_take_back" if command != "decline_take_back" else "agree_take_back"
    record, versions = next(groups_of(command))
    forged = deepcopy(record)
    forged[versions[0]]["entry"]["command"] = {"type": other}
    first, second = findings_in(second_verifier, forged)
    assert first[1] == second[1] == versions[0]
    assert {first[0], second[0]} <= {"commands", "shuffles"}


@pytest.mark.parametrize("command", COMMAND_TYPES)
def test_a_command_of_another_seat_is_found(second_verifier: SecondVerifier, command: str) -> None:
    """Who gave it did it; of a trade either side."""
    for record, versions in groups_of(command):
        actor = record[versions[0]]["entry"]["actor"]
        if actor.startswith("seat:"):
            players = record[1]["entry"]["data"]["players"]
            data = record[versions[0]]["entry"]["data"]
            others = {*range(players)} - {data.get("active"), data.get("partner"), int(actor[5:])}
            if others:
                forged = deepcopy(record)
                for version in versions:
                    forged[version]["entry"]["actor"] = f"seat:{min(others)}"
                first, second = findings_in(second_verifier, forged)
                assert first == second == ("commands", versions[0])
                return
    assert command in {
        *("shuffle", "choose_starting_seat", "reveal_secret", "create_game", "take_seat"),
        *("pause_game", "resume_game", "rule_game", "close_game", "expire_time", "credit_time"),
    }


@pytest.mark.parametrize("system", BY_KEY)
def test_a_phase_of_another_game_is_found(second_verifier: SecondVerifier, system: str) -> None:
    """The phases are those of the rules, neither more nor fewer; what comes in one of them is another question."""
    every = {phase.name for key in BY_KEY for phase in system_named(key).phases} | {"gloat"}
    own = {phase.name for phase in system_named(system).phases}
    record = shortest_begun(system)
    began = next(
        place for place, line in enumerate(record) if line.get("entry", {}).get("type") == "phase_began"
    )
    for phase in every:
        forged = deepcopy(record)
        forged[began]["entry"]["data"]["phase"] = phase
        if phase in own:
            found = second_verifier.report(relinked(forged))["findings"]
            assert not found or found[0]["version"] > began, phase
        else:
            assert findings_in(second_verifier, forged) == [("fold", began)] * 2, phase


@pytest.mark.parametrize("drawn", ["cards_drawn", "cards_revealed"])
@pytest.mark.parametrize("system", BY_KEY)
def test_cards_that_another_seat_has_drawn_are_found(
    second_verifier: SecondVerifier, system: str, drawn: str
) -> None:
    """Whose turn it is takes them; the actor is changed too, so that the entry says one thing."""
    record = shortest_begun(system)
    version = next(place for place, line in enumerate(record) if line.get("entry", {}).get("type") == drawn)
    forged = deepcopy(record)
    entry, actor = forged[version]["entry"], forged[version]["entry"]["actor"]
    entry["data"]["seat"] = (entry["data"]["seat"] + 1) % record[1]["entry"]["data"]["players"]
    for line in forged[version:-1]:
        if line["entry"]["actor"] != actor or (line is not forged[version] and "command" in line["entry"]):
            break
        line["entry"]["actor"] = f"seat:{entry['data']['seat']}"
    assert findings_in(second_verifier, forged) == [("fold", version)] * 2


@pytest.mark.parametrize("system", BY_KEY)
def test_a_dealer_that_is_called_for_something_else_is_found(
    second_verifier: SecondVerifier, system: str
) -> None:
    """What is due, for whom, and how many cards are owed follows from the table (docs/record-format.md)."""
    others = {"task": "secret", "pile": "other", "purpose": "other"}
    tried = set()
    for record, place in calls_of_the_dealer(system):
        data = record[place]["entry"]["data"]
        kind = data["task"], data.get("purpose")
        for member in ("task", "pile", "purpose", "seat", "count") if kind not in tried else ():
            forged = deepcopy(record)
            other = others.get(member) or (1 if not data.get(member) else 0)
            forged[place]["entry"]["data"][member] = "shuffle" if other == data.get(member) else other
            first, second = findings_in(second_verifier, forged)
            assert first == second == ("fold", place), (member, data)
        tried.add(kind)
    assert len(tried) >= 4


def calls_of_the_dealer(system: str) -> Iterator[tuple[list[Line], int]]:
    """Each record of a system with the places where the dealer is called, the shortest record first."""
    for record in public_records():
        if record[1]["entry"]["data"]["system"] == system:
            for place, line in enumerate(record):
                if line.get("entry", {}).get("type") == "dealer_called":
                    yield record, place


@pytest.mark.parametrize("system", BY_KEY)
def test_fewer_cards_than_are_owed_are_found(second_verifier: SecondVerifier, system: str) -> None:
    """Closed cards, too: how many are turned up and drawn is the system's own (rules.md, phases 2 and 4)."""
    record = shortest_begun(system)
    for taken in ("cards_revealed", "cards_drawn"):
        place = next(place for place, line in enumerate(record) if line.get("entry", {}).get("type") == taken)
        forged = deepcopy(record)
        del forged[place]["entry"]["data"]["cards"][-1]
        first, second = findings_in(second_verifier, forged)
        assert first == second == ("fold", place), taken
