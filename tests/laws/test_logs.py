"""Laws about logs: folding, the codec, the chain, and what each viewer gets."""

import msgspec

from events.chain.commitments import commit, salt
from events.chain.hash_chain import GENESIS, link
from events.game.table import open_table
from events.log.codec import decode_command, decode_event, encode_command, encode_event
from events.log.disclosure import ALL, PUBLIC, Form, form_for, public_form
from events.log.redacted import event_in
from events.rules.catalogues.catalogue import installed_catalogue
from events.rules.evolving.evolve import evolve, fold
from events.rules.table.player_view import player_view
from events.rules.table.state import INITIAL_STATE
from tests.laws.games import Setup, every_setup, some_setups, whole_log
from tests.support.strategies import Dice


@every_setup
def test_folding_in_parts_is_folding_at_once(setup: Setup) -> None:
    """A prefix folded, then the rest, gives the state of the whole, wherever it is cut."""
    _, log = whole_log(setup)
    events, dice = [decode_event(entry) for entry in log], Dice("cuts")
    whole = fold(events)
    for cut in [dice.below(len(events)) for _ in range(8)]:
        assert fold(events[cut:], fold(events[:cut])) == whole


@every_setup
def test_events_and_commands_survive_the_codec(setup: Setup) -> None:
    """decode(encode(x)) == x, byte for byte the same again, for all that occurs in a game."""
    _, log = whole_log(setup)
    for entry in log:
        event = decode_event(entry)
        assert encode_event(event) == entry.data
        if entry.command:
            assert encode_command(decode_command(entry.command)) == entry.command
    assert {entry.type for entry in log if not entry.command} < {entry.type for entry in log}


@every_setup
def test_a_log_opens_to_the_table_that_wrote_it(setup: Setup) -> None:
    """Folding a stored log gives state, version and chain head; so does following it in parts."""
    begun, log = whole_log(setup)
    opened = open_table(log, begun.table.secret, installed_catalogue)
    followed = begun.table.follow(log[begun.table.version :])
    assert opened == followed
    assert (opened.version, opened.hash) == (len(log), log[-1].hash)
    assert opened.state == fold(decode_event(entry) for entry in log)


@some_setups
def test_every_viewer_computes_the_same_chain(setup: Setup) -> None:
    """Public forms made from any viewer's forms, sent as JSON, link to the same hash at every version."""
    begun, log = whole_log(setup)
    for viewer in (PUBLIC, ALL, *range(setup.players)):
        head = GENESIS
        for entry in log:
            form = msgspec.json.decode(
                msgspec.json.encode(form_for(entry, begun.table.key, viewer)), type=Form
            )
            head = link(head, public_form(form))
            assert head == entry.hash == form.hash


@some_setups
def test_a_viewers_log_folds_to_that_viewers_view(setup: Setup) -> None:
    """At every version: the view of the whole state is the view of the state folded from the viewer's own forms.

    So a view says nothing that the viewer's log does not say.
    """
    begun, log = whole_log(setup)
    for viewer in (PUBLIC, ALL, *range(setup.players)):
        whole = filtered = INITIAL_STATE
        for entry in log:
            whole = evolve(whole, decode_event(entry))
            filtered = evolve(filtered, event_in(form_for(entry, begun.table.key, viewer).entry))
            assert player_view(whole, viewer) == player_view(filtered, viewer), f"version {entry.version}"


@some_setups
def test_every_state_hash_opens_with_the_secret(setup: Setup) -> None:
    """Each entry carries the salted hash of the state after it."""
    begun, log = whole_log(setup)
    state = INITIAL_STATE
    for entry in log:
        state = evolve(state, decode_event(entry))
        assert entry.state_hash == commit(salt(begun.table.key, entry.version, "state"), state)
