"""`find`: the entries that meet conditions, or the history of one card."""

from collections.abc import Collection, Mapping
from difflib import get_close_matches

import click

from events.log.codec import COMMAND_TYPES, EVENT_TYPES
from replay.commands.shared.options import (
    View,
    example,
    json_option,
    print_json,
    record_argument,
    view_options,
)
from replay.commands.shared.reading import exit_if_broken, load_timeline, print_step, step_json
from replay.commentary import Commentary
from replay.platform.number_options import WholeRange
from replay.platform.safe_text import safe
from replay.timeline.search.entry_filter import EntryFilter, find_entries
from replay.timeline.search.life_line import LOST, SHUFFLED, LifeLine, NoSuchCard, life_line
from replay.timeline.timeline import Step, Timeline

_ENDS: Mapping[str, str] = {
    SHUFFLED: "was shuffled into the draw pile with version {}",
    LOST: "cannot be followed after version {}: which card it was then is not shown",
}


@click.command(
    epilog=example(
        "fieldbook replay find game.ndjson --seat 2 --type trade_made --card chili",
        "fieldbook replay find game.ndjson --history 37",
    )
)
@record_argument
@click.option("--type", metavar="EVENT", help="The type of the event, such as trade_made.")
@click.option("--command", metavar="COMMAND", help="The type of the command behind it, such as harvest.")
@click.option("--seat", type=WholeRange(0), metavar="N", help="A seat that takes part, counted from 0.")
@click.option("--card", metavar="CARD", help="A card or variety that the entry shows, such as chili.")
@click.option("--text", help="A text in the entry's sentence, ignoring case.")
@click.option("--after", type=WholeRange(0), metavar="VERSION", help="Only later versions.")
@click.option("--before", type=WholeRange(1), metavar="VERSION", help="Only earlier versions.")
@click.option(
    "--history", metavar="NUMBER", help="The history of one card: 37, or seat:1/7 for card 7 of a hand."
)
@view_options
@json_option
def find(
    *,
    record: str,
    type: str | None,  # noqa: A002 - the option's name
    command: str | None,
    seat: int | None,
    card: str | None,
    text: str | None,
    after: int | None,
    before: int | None,
    history: str | None,
    view: View,
) -> None:
    """Find the entries that meet all conditions, or all entries that moved one card.

    A card that the viewer may not see matches nothing. The status is 0 even without a match.
    """
    wanted = EntryFilter(type, command, seat, card, text, after, before)
    if (wanted == EntryFilter()) == (history is None):
        raise click.UsageError("Name what to find: conditions such as --type, or --history with a card.")
    _check_name("event", type, EVENT_TYPES)
    _check_name("command", command, COMMAND_TYPES)
    timeline = load_timeline(record, view.viewer)
    tell = Commentary(timeline.header.catalogue, view.language)
    if history is not None:
        print_life_line(timeline, history, tell, as_json=view.as_json)
    else:
        print_matches(timeline, wanted, tell, as_json=view.as_json)
    exit_if_broken(timeline)


def print_matches(timeline: Timeline, wanted: EntryFilter, tell: Commentary, *, as_json: bool) -> None:
    """Print the matching entries; exit with status 2 if the game has no such card or seat."""
    seats = len(timeline.at(1).state.seats) if timeline.last else 0
    if wanted.seat is not None and wanted.seat >= seats:
        raise click.UsageError(f"--seat {wanted.seat}: the table has {seats} seats, counted from 0.")
    catalogue = timeline.header.catalogue
    names = [name for bean in catalogue.beans for name in (bean.card, bean.variety)]
    _check_name("card", wanted.card, [*names, *(each.card for each in catalogue.bonus)])
    for step in find_entries(timeline, wanted, tell):
        _print(timeline, step, tell, as_json=as_json)


def _check_name(kind: str, name: str | None, known: Collection[str]) -> None:
    if name is None or name in known:
        return
    near = get_close_matches(name, {*known}, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(sorted({*known}))}."
    raise click.UsageError(f"Unknown {kind} {safe(name, 40)!r}; {hint}")


def print_life_line(timeline: Timeline, card: str, tell: Commentary, *, as_json: bool) -> None:
    """Print the entries that touched a card; ends the program with status 2 where there is no such card."""
    try:
        found = life_line(timeline, card)
    except NoSuchCard as error:
        raise click.UsageError(str(error)) from error
    for version in found.versions:
        _print(timeline, timeline.at(version), tell, as_json=as_json)
    _print_end(found, as_json=as_json)


def _print_end(found: LifeLine, *, as_json: bool) -> None:
    if as_json:
        print_json({"card": found.card, "ends": found.ends, "until": found.until})
    elif found.ends in _ENDS:
        click.echo(f"Card {found.card} {_ENDS[found.ends].format(found.until)}.")


def _print(timeline: Timeline, step: Step, tell: Commentary, *, as_json: bool) -> None:
    if as_json:
        print_json(step_json(timeline, step, tell))
    else:
        print_step(tell, step)
