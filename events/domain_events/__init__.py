"""What happened in a game. An event is a fact: it is never refused, changed or taken back.

These type names and field names ARE the storage format. Never rename one; a changed shape is a new schema
version with an upcaster and a stored sample of the old form. So is the table of private fields, because the
hash chain runs over the public forms.

Every event carries all that `evolve` needs (coins earned, cards drawn, whose turn), so a later correction of
the rules never changes how an old game reads.
"""

from events.domain_events.base import *
from events.domain_events.clock import *
from events.domain_events.leaving import *
from events.domain_events.rulings import *
from events.domain_events.table import *
from events.domain_events.trading import *
from events.domain_events.turn import *
from events.rules.systems.bean_duel.domain_events import *
from events.rules.systems.ladybohn.domain_events import *
from events.rules.systems.ladybohn_expansion.domain_events import *
from events.rules.systems.the_duel.domain_events import *

AnyEvent = (
    TABLE | TURN | TRADING | BEAN_DUEL | THE_DUEL | LADYBOHN_EXPANSION | LADYBOHN | RULINGS | LEAVING | CLOCK
)
"""Every event that can stand in a log."""

__all__ = [name for name, each in vars().items() if isinstance(each, type) and issubclass(each, DomainEvent)]
