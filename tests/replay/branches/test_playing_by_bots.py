"""Bots that play a branch to its end keep every law, and the same branch always comes out the same."""

import pytest

from events.rules.move import DEALER
from replay.branches import Branch, BranchError, encode_token, load_branch, new_branch, play_bots
from replay.branches.branch import for_ever
from tests.laws.book import EVENT_LAWS, STATE_LAWS
from tests.laws.cards import cards_are_conserved
from tests.laws.finishing import the_best_score_wins
from tests.laws.order import whoever_is_waited_for_can_go_on
from tests.replay.branches.recordings import CLASSIC, GAMES, origin


def check_laws(branch: Branch) -> None:
    """Every law of the rules, along the way to where one stands."""
    rules, state = branch.origin.rules, branch.origin.state
    for event in branch.events():
        for law in EVENT_LAWS:
            law(rules, state, event.event, event.state)
        state = event.state
    for number in branch.path():
        after = branch.positions[number].state
        cards_are_conserved(rules, after)
        for holds in STATE_LAWS:
            holds(rules, after)
        whoever_is_waited_for_can_go_on(rules, after)


@pytest.mark.parametrize("bot", ["greedy", "random"])
@pytest.mark.parametrize("name", GAMES[::2])
def test_bots_play_to_the_end_by_every_law(name: str, bot: str) -> None:
    """Cards are conserved, coins come from somewhere, the best score wins; and a second run is equal."""
    begun = new_branch(origin(name, 0.6))

    done = play_bots(begun, [bot])

    assert done.stopped == "end"
    check_laws(done.branch)
    the_best_score_wins(begun.origin.rules, done.branch.position.state)
    assert play_bots(begun, [bot]) == done
    assert load_branch(encode_token(done.branch), begun.origin) == done.branch


def test_bots_stop_where_they_are_told_to() -> None:
    """After some commands, with the next turn, where a person has to act, when there is no more time."""
    begun = new_branch(origin(CLASSIC, 0.5))

    three = play_bots(begun, ["greedy"], most=3)
    turn = play_bots(begun, ["greedy"], "turn")
    person = play_bots(begun, [None] * begun.origin.rules.players)
    late = play_bots(begun, ["greedy"], go_on=lambda: False)

    assert (three.commands, three.stopped, len(three.branch.nodes)) == (3, "commands", 3)
    assert turn.stopped == "turn"
    assert turn.branch.position.state.turn == begun.position.state.turn + 1
    assert (person.commands, person.stopped) == (0, "people")
    assert (late.commands, late.stopped) == (0, "time")
    assert for_ever()


@pytest.mark.parametrize(
    ("bots", "wrong"), [(["clever"], "no bot 'clever'"), (["greedy"] * 2, "one for each")]
)
def test_bots_that_there_are_not_are_refused(bots: list[str | None], wrong: str) -> None:
    """Neither unknown ones nor too few."""
    with pytest.raises(BranchError, match=wrong):
        play_bots(new_branch(origin(CLASSIC, 0.5)), bots)


def test_the_dealers_commands_are_no_part_of_the_tree() -> None:
    """They follow from the origin and the seed."""
    done = play_bots(new_branch(origin(CLASSIC, 0.3)), ["random"])

    assert any(each.actor == DEALER for each in done.branch.events())
    assert all(node.actor != DEALER for node in done.branch.nodes)
