"""A branch as a page goes on with it: what each perspective sees from the origin to where one stands.

It is stored as a page's record is (`replay.exports.page.content`), but begins at the origin, whose table is there
whole; a script lays it behind the tables of the game up to there. A branch has no clock: all of it happens at once.
"""

from collections.abc import Callable, Mapping
from typing import Any

from events.domain_events import PhaseBegan, TurnBegan
from events.log.actors import actor_name
from events.log.codec import event_type
from events.rules.table.state import GameState
from replay.branches.branch import Branch
from replay.branches.playing import BranchEvent
from replay.branches.redaction import redact_branch
from replay.commentary import Commentary
from replay.exports.page.cards import Cards
from replay.exports.page.layers import Layers, steps_between
from replay.exports.page.scene import Scenes
from replay.terminal.table_text import phase_after
from replay.timeline.timeline import COMMAND, PHASE, TURN

_NO_SENTENCE = 0
"""The number of the empty text, at the origin: the game has told of it."""


def build_branch(
    branch: Branch,
    tables: Mapping[int, GameState],
    language: str,
    give_way: Callable[[], object] = lambda: None,
) -> dict[str, Any]:
    """The way to where one stands, ready to be JSON; `tables` are those at the origin, by viewer.

    The first of them is the one that sees everything. `give_way` is called after each event.
    """
    origin, way = branch.origin, branch.path()
    tell = Commentary(origin.rules.catalogue, language)
    cards = Cards.of_catalogue(tell, origin.rules.catalogue)
    layers, texts = Layers(tuple(tables)), {"": _NO_SENTENCE}
    scenes = {viewer: Scenes(tell, cards, origin.rules) for viewer in tables}
    seen: dict[int, list[BranchEvent]] = {}
    for viewer, table in tables.items():
        shown = redact_branch(branch, viewer, table)
        seen[viewer] = [event for number in way for event in shown[number][0]]

    first = {viewer: scenes[viewer].go_on(table, table.phase) for viewer, table in tables.items()}
    layers.change(origin.version, first)
    layers.tell(origin.version, dict.fromkeys(tables, _NO_SENTENCE))
    whole = [*branch.events()]
    for place, event in enumerate(whole):
        phase = phase_after(event_type(event.event), event.state.phase)
        layers.change(
            event.version,
            {viewer: scenes[viewer].go_on(events[place].state, phase) for viewer, events in seen.items()},
        )
        layers.tell(
            event.version,
            {
                viewer: texts.setdefault(tell.sentence(events[place].state, events[place].event), len(texts))
                for viewer, events in seen.items()
            },
        )
        give_way()
    actors: dict[str, int] = {}
    begins = {
        COMMAND: [each.version for each in whole if each.command is not None],
        PHASE: [each.version for each in whole if isinstance(each.event, PhaseBegan)],
        TURN: [each.version for each in whole if isinstance(each.event, TurnBegan)],
    }
    return {
        "origin": origin.version,
        "last": branch.position.version,
        "starts": {unit: steps_between(versions) for unit, versions in begins.items()},
        "actor": [actors.setdefault(actor_name(each.actor), len(actors)) for each in whole],
        "actors": [*actors],
        "cards": cards.known,
        "card_keys": cards.keys,
        "texts": [*texts],
        "layers": layers.stored(),
    }
