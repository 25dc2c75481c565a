"""A screen for people and for machines."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec

from replay.across.screening.comparing.measures import MEASURES
from replay.across.screening.comparing.screen import Found, Pair, Screen, Seen
from replay.across.screening.figures.game import GIFT, TRADE, LeftOut, Rollouts
from replay.across.screening.telling.following_up import (
    Places,
    case_command,
    leads_somewhere,
    page_link,
    show_command,
    why_no_case,
)
from replay.platform.counting import count_in_words
from replay.platform.safe_text import safe

CAUTION: Final = (
    "Standing out is no proof: it says what is unusual, not why. Look at the moments first; docs/screening.md says "
    "what the figures can and cannot tell."
)
INTERVALS: Final = (
    "Each interval is that of its measure alone, not corrected for many pairs and measures: p corrected is."
)
HOW_TO_LOOK: Final = (
    "--pages FOLDER writes the games of who stands out as pages and links to the moments there; --service ADDRESS "
    "links to the pages of a service."
)
_NAME: Final = 60
_LONG: Final = 400
_MAX_NAMED: Final = 20


def screen_lines(screen: Screen, places: Places, most: int) -> Iterator[str]:
    """The screen as text: all pairs that stand out, and others until there are `most`."""
    yield (
        f"{count_in_words(screen.games, 'game')}; {count_in_words(len(screen.pairs), 'pair')} with "
        f"{screen.together} games together or more, {screen.seldom} with fewer; {screen.tests} tests, "
        f"rate {100 * screen.rate:g}%, {screen.draws} draws, "
        f"seed {safe(screen.seed, _NAME)}, value function {screen.value_function}."
    )
    yield from _left_lines(screen)
    yield ""
    standing_out = screen.standing_out
    yield _outcome_line(screen)
    shown = screen.pairs[: max(most, len(standing_out))]
    for place, pair in enumerate(shown, 1):
        yield from _pair_lines(screen, pair, place, places)
    if shown:
        yield ""
        yield INTERVALS
    if standing_out:
        if not places.service and not places.pages:
            yield HOW_TO_LOOK
        yield CAUTION


def screen_document(screen: Screen, places: Places) -> dict[str, Any]:
    """The screen as JSON-ready values, all pairs of it, with links and commands."""
    document: dict[str, Any] = msgspec.to_builtins(screen)
    document["measures"] = dict(MEASURES)
    document["left_out_by_reason"] = _by_reason(screen)
    document["findings"] = {"pairs": len(screen.standing_out), "records": len(screen.in_question)}
    document["nothing_compared"] = screen.why_nothing_compared or None
    document["intervals"] = INTERVALS
    document["caution"] = CAUTION
    for written, pair in zip(document["pairs"], screen.pairs, strict=True):
        written["open_a_case"] = case_command(screen, pair, places) or None
        written["no_case"] = why_no_case(pair, places) or None
        for moment, seen in zip(written["moments"], pair.moments, strict=True):
            moment |= {"page": page_link(seen, places), "show": show_command(seen, places.where)}
    return document


def _outcome_line(screen: Screen) -> str:
    """What came of it, where nothing was compared as well."""
    if why := screen.why_nothing_compared:
        return f"Nothing was compared: {why}."
    found = len(screen.standing_out)
    if not found:
        return "No pair stands out."
    stand = "stands" if found == 1 else "stand"
    return (
        f"{count_in_words(found, 'pair')} out of {len(screen.pairs)} {stand} out: marked * is what has a corrected p "
        f"of {screen.rate:g} or less."
    )


def _left_lines(screen: Screen) -> Iterator[str]:
    """Yield how many games were left out for each reason, and the names of those that need a look."""
    if screen.left_out:
        reasons = ", ".join(f"{count} {reason}" for reason, count in _by_reason(screen).items())
        yield f"{count_in_words(len(screen.left_out), 'game')} left out: {reasons}; --json names each."
    if screen.not_played_on:
        yield f"{count_in_words(len(screen.not_played_on), 'game')} not played on, read in vain the second time:"
        yield from _named(screen.not_played_on)
    if screen.in_question:
        records = count_in_words(len(screen.in_question), "record")
        yield f"{records} in question (unreadable, does_not_verify or contradicts): look there first."
        yield from _named(screen.in_question)


def _named(left: Sequence[LeftOut]) -> Iterator[str]:
    """Yield a line for each of the first games."""
    yield from map(_left_line, left[:_MAX_NAMED])
    if len(left) > _MAX_NAMED:
        yield f"  and {len(left) - _MAX_NAMED} more; --json names each."


def _left_line(left: LeftOut) -> str:
    detail = f": {safe(left.detail, _LONG)}" if left.detail else ""
    return f"  {safe(left.source, _LONG)}  {left.reason}{detail}"


def _by_reason(screen: Screen) -> dict[str, int]:
    return dict(sorted(Counter(each.reason for each in screen.left_out).items()))


def _pair_lines(screen: Screen, pair: Pair, place: int, places: Places) -> Iterator[str]:
    one, other = (safe(name, _NAME) for name in pair.names)
    yield ""
    yield f"{place}. {one} and {other}, {count_in_words(pair.games, 'game')} together"
    yield f"   {'':10}{'coins a game':>14}{'95 % interval':>18}{'p':>10}{'corrected':>11}"
    for found in pair.found:
        yield _found_line(screen, found)
    for seen in pair.moments:
        yield f"   {_moment_text(seen)}"
        if seen.rollouts is not None:
            yield f"     {_rollouts_text(seen, seen.rollouts)}"
        if leads_somewhere(seen, places):
            yield f"     {safe(page_link(seen, places), _LONG)}"
        yield f"     {safe(show_command(seen, places.where), _LONG)}"
    if command := case_command(screen, pair, places):
        yield "   To open a case, if what you saw speaks for one:"
        yield f"     {safe(command, 2 * _LONG)}"
    if why := why_no_case(pair, places):
        yield f"   {why}"


def _found_line(screen: Screen, found: Found) -> str:
    interval = f"{found.interval[0]:+.2f} to {found.interval[1]:+.2f}"
    mark = " *" if found.corrected <= screen.rate else ""
    line = f"   {found.measure:10}{found.coins:>+14.2f}{interval:>18}{found.p:>10.2g}{found.corrected:>11.2g}"
    return f"{line}{mark}"


def _moment_text(seen: Seen) -> str:
    giver, taker = (safe(name, _NAME) for name in seen.names)
    moment = seen.moment
    did = {GIFT: f"a gift of {giver} to", TRADE: f"a trade of {giver} with"}.get(
        moment.kind, f"what {giver} did for"
    )
    return (
        f"{safe(seen.game, _NAME)}, version {moment.version}: {did} {taker}, who had {moment.coins:+.2f}; "
        f"{giver} had {-moment.cost:+.2f}"
    )


def _rollouts_text(seen: Seen, rollouts: Rollouts) -> str:
    giver, taker = (safe(name, _NAME) for name in seen.names)
    low, high = rollouts.interval
    return (
        f"played on {rollouts.games} times, with it and refused: {taker} ends {rollouts.coins:+.2f} "
        f"({low:+.2f} to {high:+.2f}), {giver} {-rollouts.cost:+.2f}"
    )
