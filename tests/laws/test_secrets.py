"""Nothing that leaves for a viewer holds what the viewer may not know. Searched for in the bytes that leave."""

import msgspec
import pytest

from events.log.disclosure import PUBLIC, form_for
from events.log.recorded import RecordedEvent
from events.rules.catalogues.catalogue import Catalogue
from tests.laws.games import TABLES
from tests.laws.secrecy import (
    WITH_SEXES,
    a_seat_is_told_of_no_hidden_card,
    an_entry_names_no_hidden_card,
    no_view_names_a_hidden_card,
)
from tests.support.depth import depth
from tests.support.strategies import Dice, opening, play_on
from tests.support.tables import all_different, rules_of

STEPS = 400
SHARE = depth(30, 100)
"""Of a hundred steps so many are examined."""
LARGEST = list({system: (system, players) for system, players in TABLES}.values())
"""Every system with as many players as it takes."""


@pytest.mark.deep
@pytest.mark.parametrize(("system", "players"), depth(LARGEST, TABLES))
def test_no_form_and_no_view_names_a_hidden_card(system: str, players: int) -> None:
    """A name goes only to who may know it: in views, in entries, in what a seat may send, and in refusals."""
    _check_game(system, players, all_different(rules_of(system, players).catalogue.total))


@pytest.mark.deep
@pytest.mark.parametrize("players", [3, 4, 5])
def test_an_offer_names_no_card_where_sexes_are_hidden(players: int) -> None:
    """`ladybohn`: of an offered hand card the others learn the family; coins off the draw pile nobody sees."""
    _check_game("ladybohn", players, WITH_SEXES)


def _check_game(system: str, players: int, deck: Catalogue) -> None:
    seed = f"{system} {players}"
    begun = opening(seed, players, {"start_seat": "random"}, deck, system=system)
    dice, key, secret = Dice(f"secrets {seed}"), begun.table.key, begun.table.secret
    for entry in begun.log:
        an_entry_names_no_hidden_card(entry, key, begun.table.state, begun.table.state, set())
    for count, step in enumerate(play_on(begun.table, Dice(seed))):
        if count == STEPS or step.after.state.status != "running":
            break
        if not dice.chance(SHARE):
            continue
        before = step.before.state
        wanted = {*getattr(step.command, "want", ()), getattr(step.command, "variety", "")}
        for entry in step.entries:
            after = step.before.follow([each for each in step.entries if each.version <= entry.version]).state
            an_entry_names_no_hidden_card(entry, key, before, after, wanted)
            before = after
        rules, state = step.after.rules, step.after.state
        no_view_names_a_hidden_card(rules, state, secret)
        a_seat_is_told_of_no_hidden_card(rules, state, dice.below(players), dice)


def test_bot_seeds_and_the_dealers_secret_stay_hidden_until_the_end() -> None:
    """A bot's seed would tell its next move; the secret would tell every card."""
    begun = opening("bots", 3, {})
    table, log = begun.table, list(begun.log)
    for step in play_on(table, Dice("bots")):
        log += step.entries
    bot = RecordedEvent(
        version=2, type="seat_taken", schema=1, at=0, actor="host", state_hash="", hash="",
        data=b'{"seat":1,"name":"B","kind":"bot","bot":"greedy","bot_seed":"feedbeef"}',
        command=b'{"type":"take_seat","seat":1,"name":"B","kind":"bot","bot":"greedy","bot_seed":"feedbeef"}',
    )  # fmt: skip
    for viewer in (PUBLIC, 0, 1, 2):
        assert b"feedbeef" not in msgspec.json.encode(form_for(bot, table.key, viewer))
        sent = b"".join(msgspec.json.encode(form_for(entry, table.key, viewer)) for entry in log[:-1])
        assert table.secret.encode() not in sent
        assert table.key.hex().encode() not in sent
    assert log[-1].type == "secret_revealed"
