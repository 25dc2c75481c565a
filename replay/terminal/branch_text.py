"""A branch as text: where one stands and what can be played there, and the whole tree with its variations."""

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from events.commands import Command
from events.log.actors import actor_name
from events.log.disclosure import viewer_name
from replay.branches.choices import Choice, choices
from replay.branches.errors import MoveRefused
from replay.branches.playing import BranchEvent
from replay.branches.saved.tokens import encode_token
from replay.branches.view import BranchView
from replay.commentary.texts import NAME_LENGTH, make_printable
from replay.platform.safe_text import safe
from replay.terminal.table_text import Line, lying_lines, turn_lines

MOST_INDENTED: Final = 20
"""Variations within variations are moved to the right so often at most."""


def branch_lines(seen: BranchView, after: int) -> list[Line]:
    """The events after a version, the table, where it all parts from the game, and what can be played."""
    branch, state = seen.branch, seen.state
    lines = [
        _heading(seen),
        *turn_lines(seen.tell, state, state.phase),
        [],
        *([(each, "")] for each in _events(seen, [each for each in seen.events if each.version > after])),
        *lying_lines(seen.tell, state),
        [],
        [(f"{'parted':15}{_divergence_text(seen)}", "")],
        [(f"{'fresh cards':15}{_fresh(seen)}", "")],
        [],
    ]
    lines += [[(each, "")] for each in _choice_lines(choices(branch.position, seen.viewer))]
    return [*lines, [], [(f"token {encode_token(branch)}", "")]]


def tree_lines(seen: BranchView) -> list[Line]:
    """Every command with its number and the version after it; variations stand to the right of what they replace."""
    lines: list[Line] = [_heading(seen), []]
    if not seen.branch.nodes:
        lines.append([("Nothing is played in it yet.", "dim")])
    for number, level in _in_order(seen.branch.children()):
        mark = ">" if number == seen.branch.here else " "
        position, events = seen.branch.positions[number], seen.shown[number][0]
        sentence = seen.sentence(events[0]) if events else "Nothing happened."
        fresh = " [fresh cards]" if any(each.cards == "fresh" for each in events) else ""
        indent = "    " * min(level, MOST_INDENTED)
        actor = actor_name(seen.branch.nodes[number - 1].actor)
        lines.append([(f"{mark}{number:>4}  {position.version:>4}  {indent}{actor:7} {sentence}{fresh}", "")])
    return [*lines, [], [(f"token {encode_token(seen.branch)}", "")]]


def refusal_lines(refused: MoveRefused, viewer: int) -> list[str]:
    """Why a move is refused, where the booklet says so, and what the viewer could play instead."""
    section = refused.position.rules.system.section_of(refused.violation)
    what = f"Command {refused.node} of the branch is refused" if refused.node else "Refused"
    line = f"{what}: {safe(str(refused))} [{refused.violation.code}; {section}]"
    return [line, *_choice_lines(choices(refused.position, viewer))]


def _heading(seen: BranchView) -> Line:
    branch = seen.branch
    state = branch.origin.state
    game = f"{make_printable(state.game, NAME_LENGTH)}, {make_printable(state.system, NAME_LENGTH)}"
    seed = f", seed {branch.seed}" if branch.seed else ""
    text = (
        f"{game}: a branch from version {branch.origin.version}, at version {branch.position.version}, "
        f"as {viewer_name(seen.viewer)}{seed}"
    )
    return [(text, "bold")]


def _events(seen: BranchView, events: Sequence[BranchEvent]) -> Iterator[str]:
    for each in events:
        who = actor_name(each.actor) if each.command is not None else ""
        cards = "" if each.cards == "none" else each.cards
        yield f"{each.version:>4}  {who:7} {cards:8}  {seen.sentence(each)}"
    if events:
        yield ""


def _divergence_text(seen: BranchView) -> str:
    parted = seen.parted
    if parted is None:
        return "not yet: so far all is as it was recorded"
    theirs, mine = parted
    if theirs is None:
        return f"at version {mine.version}, where the record ends"
    return f"at version {mine.version}; in the game: {seen.sentence(theirs)}"


def _fresh(seen: BranchView) -> str:
    version = seen.branch.position.fresh_from
    return (
        "none: all cards are those of the recorded deck" if version is None else f"from version {version} on"
    )


def _choice_lines(listed: Sequence[Choice]) -> Iterator[str]:
    yield "Nothing can be played here." if not listed else "What can be played:"
    for each in listed:
        number = "form" if each.number is None else str(each.number)
        written = msgspec.json.encode(each.command).decode()
        blank = "" if isinstance(each.command, Command) else "to be filled in: "
        yield f"{number:>5}  {actor_name(each.seat):7} {blank}{safe(written, 2_000)}"


def _in_order(children: Sequence[Sequence[int]]) -> Iterator[tuple[int, int]]:
    """Each command with how deep its variation is: the main line's, then what could replace it, then on."""
    waiting: list[tuple[int, int, bool]] = [(0, 0, True)]
    while waiting:
        number, level, goes_on = waiting.pop()
        if number and not goes_on:
            yield number, level
            continue
        if not children[number]:
            continue
        main, *others = children[number]
        waiting.append((main, level, True))
        for other in reversed(others):
            waiting += [(other, level + 1, True), (other, level + 1, False)]
        waiting.append((main, level, False))
