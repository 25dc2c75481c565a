"""What this release can read, as one short word: it changes whenever an engine, a rule system or a shape is added."""

from functools import cache

from events.chain.canonical import canonical, sha256_hex
from events.commands.dealing import DUPLICATE
from events.game.record import FORMAT
from events.log.codec import COMMAND_TYPES, EVENT_TYPES
from events.rules.definition.rule_system import ENGINE_VERSION
from events.rules.systems.registry import ALL


@cache
def readable_here() -> str:
    """The first characters of a hash over engine, dealing, all rule systems, all shapes of events and commands."""
    known = {
        "engine": ENGINE_VERSION,
        "record": FORMAT,
        "dealing": DUPLICATE,
        "systems": sorted(f"{each.key}/{each.version}" for each in ALL),
        "events": {name: [each.schema, *each.__struct_fields__] for name, each in EVENT_TYPES.items()},
        "commands": {name: [each.schema, *each.__struct_fields__] for name, each in COMMAND_TYPES.items()},
    }
    return sha256_hex(canonical(known))[:16]
