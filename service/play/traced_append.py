"""An append as a step of whoever asked for it, in whose trace those who follow the feeds go on."""

from functools import partial

from events.store.event_store import Appended
from service.play.steps import Append, Call, Steps
from service.telemetry.spans import GAME, VERSION, span
from service.telemetry.store import AppendTraces


def traced_append(asked: Append, traces: AppendTraces) -> Steps[Appended]:
    """The steps of an append, and what it returns.

    Raises whatever the append does.
    """
    with span("append", "producer") as appending:
        if appending.traceparent:
            last = asked.events[-1]
            appending.say({GAME: asked.game, VERSION: last.version})
            yield Call(partial(traces.note, asked.game, last.hash, appending.traceparent))
        appended: Appended = yield asked
        if appended.duplicate:
            appending.say({"fieldbook.repeated": True})
    return appended
