"""What may be asked of a game. A command is a wish: the rules may refuse it, and then nothing has happened.

Type names and field names are stored in the log and are part of the HTTP interface: never rename one.
"""

from events.commands.base import *
from events.commands.clock import *
from events.commands.dealing import *
from events.commands.leaving import *
from events.commands.rulings import *
from events.commands.standard import *
from events.commands.table import *
from events.rules.systems.bean_duel.commands import *
from events.rules.systems.ladybohn.commands import *
from events.rules.systems.ladybohn_expansion.commands import *
from events.rules.systems.the_duel.commands import *

SEAT_COMMANDS = STANDARD | BEAN_DUEL | THE_DUEL | LADYBOHN_EXPANSION | LADYBOHN | TAKE_BACKS | LEAVING
"""Everything that a seat may ask for in some rule system."""
AnyCommand = SEAT_COMMANDS | TABLE | CLOSING | ARBITER_COMMANDS | CLOCK_COMMANDS
"""Every command that can stand in a log."""

# Named, all of them can be imported; a star leaves out the one that would replace `collections.Counter`.
__all__ = [
    name
    for name, each in vars().items()
    if isinstance(each, type) and issubclass(each, Command) and each is not Counter
]
