"""The tree of a branch: variations, going to and fro, taking back, and what the rules refuse."""

import pytest

from events import commands as c
from events.log.disclosure import ALL
from events.rules.move import HOST
from events.rules.table.waiting import waiting_for
from replay.branches import Branch, MoveRefused, errors, find_origin, new_branch
from replay.branches.branch import MOST_COMMANDS, Node
from replay.branches.choices import choices
from tests.replay.branches.recordings import CLASSIC, game, origin


def first_commands(branch: Branch, count: int) -> list[tuple[int, c.Command]]:
    """Different things that can be done here."""
    ready = [each for each in choices(branch.position, ALL) if each.number is not None]
    assert len(ready) >= count
    return [(each.seat, each.command) for each in ready[:count] if isinstance(each.command, c.Command)]


def test_a_command_goes_on_with_the_main_line_and_another_one_is_a_variation() -> None:
    """The first after a command is the main line's; the same one again is only gone to."""
    branch = new_branch(origin(CLASSIC, 0.5))
    one, two = first_commands(branch, 2)

    tree = branch.play(*one).go(0).play(*two)
    again = tree.go(0).play(*one)

    assert tree.children()[0] == [1, 2]
    assert (tree.here, again.here) == (2, 1)
    assert again.nodes == tree.nodes
    assert again.path() == [1]


def test_what_is_taken_back_goes_with_all_that_follows() -> None:
    """Variations beside it stay, and so does where one stood before."""
    branch = new_branch(origin(CLASSIC, 0.5))
    one, two = first_commands(branch, 2)
    line = branch.play(*one)
    line = line.play(*first_commands(line, 1)[0])
    tree = line.go(0).play(*two)

    shorter = tree.go(2).undo(2)

    assert shorter.here == 0
    assert [node.command for node in shorter.nodes] == [two[1]]
    assert shorter.positions[1] == tree.positions[3]
    with pytest.raises(errors.NoSuchNode):
        shorter.undo(1)
    with pytest.raises(errors.NoSuchNode):
        shorter.go(2)


def test_a_move_that_the_rules_refuse_is_refused_as_in_a_game() -> None:
    """With the rule's code, the booklet's section, and nothing has changed."""
    branch = new_branch(origin(CLASSIC, 0.5))
    active = branch.position.state.active
    other = next(seat for seat in range(branch.origin.rules.players) if seat != active)

    with pytest.raises(MoveRefused) as refused:
        branch.play(other, c.Plant(0))

    assert refused.value.violation.code in {"not_your_turn", "wrong_phase"}
    assert refused.value.position == branch.position
    assert branch.nodes == ()
    with pytest.raises(MoveRefused):
        branch.play(HOST, c.TakeSeat(0, "Eve", "human"))
    with pytest.raises(MoveRefused):
        branch.play(99, c.Draw())


def test_a_finished_game_can_be_looked_at_and_no_more() -> None:
    """Its last version has nothing that could be played."""
    branch = new_branch(origin(CLASSIC, 1.0))

    assert choices(branch.position, ALL) == []
    assert waiting_for(branch.position.state) == ()
    with pytest.raises(MoveRefused) as refused:
        branch.play(0, c.Draw())
    assert refused.value.violation.code == "game_over"


def test_versions_that_there_are_not_and_games_that_have_not_begun_are_refused() -> None:
    """One plays on from a version that has been."""
    rules, log = game(CLASSIC)

    for version in (0, -1, len(log) + 1):
        with pytest.raises(errors.NoSuchVersion):
            find_origin(rules, log, version)
    with pytest.raises(errors.NotBegun):
        find_origin(rules, log[:3], 2)


def test_the_size_of_a_branch_is_bounded() -> None:
    """A whole one takes no further command; one that it has is only gone to."""
    begun = origin(CLASSIC, 0.5)
    branch = new_branch(begun)
    nodes = tuple(Node(0, 0, c.Say(f"No. {number}")) for number in range(MOST_COMMANDS))
    full = Branch(begun, "", nodes, (branch.position,) * (MOST_COMMANDS + 1))

    with pytest.raises(errors.TooLarge):
        full.play(0, c.Say("One more"))
    with pytest.raises(errors.BranchError):
        new_branch(begun, "two words")
    assert full.play(0, nodes[-1].command).here == MOST_COMMANDS
    assert branch.undo(0) == branch
