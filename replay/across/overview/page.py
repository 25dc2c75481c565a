"""An overview as one HTML page: plots with the same figures as tables, no script, and nothing that it loads.

Every text stands in it escaped, and made fit for a screen: names of varieties come from catalogues, which anybody may
have written.
"""

from collections.abc import Iterator
from typing import Any, Final

from replay.across.overview.bars import Bar
from replay.across.overview.parts import (
    draw,
    draw_by_system,
    flatten,
    list_most_frequent,
    say_plainly,
    tabulate,
)
from replay.exports.policies import source_hash
from replay.platform.counting import count_in_words
from replay.platform.safe_text import safe

_STYLE: Final = """
:root { color-scheme: light dark; --line: #8886; --bar: #4a7ab5; --interval: #d9822b; --mark: #c23030; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 64rem; padding: 1rem; }
h1 { font-size: 1.5rem; line-height: 1.25; }
h2 { border-bottom: 1px solid var(--line); font-size: 1.2rem; margin-top: 2rem; }
h3, h4 { font-size: 1rem; margin: 1rem 0 .25rem; }
h4 { font-weight: normal; }
svg { display: block; width: 45rem; }
svg text { fill: currentColor; font-size: 13px; }
svg rect { fill: var(--bar); }
svg .interval { stroke: var(--interval); stroke-width: 4; }
svg .mark { stroke: var(--mark); stroke-width: 2; }
div { margin: .5rem 0; overflow-x: auto; }
@media (max-width: 45rem) { svg { width: 36rem; } svg text { font-size: 15px; } }
table { border-collapse: collapse; font-size: .9rem; }
th, td { border-bottom: 1px solid var(--line); padding: .2rem .6rem; text-align: left; }
td.number { font-variant-numeric: tabular-nums; text-align: right; }
"""
POLICY: Final = f"default-src 'none'; style-src '{source_hash(_STYLE)}'; base-uri 'none'; form-action 'none'"
"""What a browser is told about the page: nothing is loaded, nothing runs."""


def render_page(document: dict[str, Any]) -> str:
    """The page of an overview (`Overview.document`)."""
    body = "\n".join(_body(document))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Games: an overview</title>\n<style>{_STYLE}</style>\n</head>\n"
        f"<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _body(document: dict[str, Any]) -> Iterator[str]:
    yield f"<h1>{count_in_words(document['games'], 'game')}</h1>"
    yield "<p>Every one of them has finished, and its whole record was verified for this page.</p>"
    yield from _left(document)
    yield "<h2>What was played, and how it ended</h2>"
    yield from draw_by_system(document["endings"], _endings)
    yield tabulate(document["endings"])
    yield "<h2>How long games are</h2>"
    yield (
        "<p>Turns of all games that began; minutes of those that started and that a clock saw (dated). The median is"
        " the lower middle one.</p>"
    )
    yield tabulate([flatten(row) for row in document["lengths"]])
    yield "<h2>Whether it is better to begin</h2>"
    yield (
        "<p>The share of wins by place in the order of play, with the interval in which it lies with 95 % certainty"
        " (Wilson). A shared victory counts for each who won, and some games have no winner: so the fair share, the"
        " line across, is what a seat of the same games won on average. A game has each place once, so the interval"
        " of a place counts every game once; those of several places are of the same games, and hang together. Where"
        " the same people play again and again each of them is too narrow.</p>"
    )
    yield from draw_by_system(document["places"], _places)
    yield tabulate(document["places"])
    yield "<h2>Bots against others</h2>"
    yield (
        "<p>In games in which both sat at the table, of all numbers of players: the fair share, the line across, is"
        " what a seat at the same tables won on average. The interval (Wilson) takes seats for independent, and those"
        " of one table are not: where several of a kind sit together it says less than it seems to.</p>"
    )
    yield from draw_by_system(document["kinds"], _kinds)
    yield tabulate(document["kinds"])
    yield "<h2>For whom the table waits</h2>"
    yield (
        "<p>While it waited for one seat alone, in games that a clock saw, by who sits there: until that acted,"
        " whatever others did meanwhile. Expired are those in which its time was over first.</p>"
    )
    yield draw("Hours", [_wait(row) for row in document["waits"]])
    yield tabulate([flatten(row) for row in document["waits"]])
    yield "<h2>Trades</h2>"
    yield "<h3>Offers, and the share that was accepted</h3>"
    yield draw("Accepted", [_accepted(row) for row in document["offers"]], 1.0)
    yield tabulate(document["offers"])
    yield "<h3>Trades by how many cards went either way</h3>"
    yield tabulate(document["sizes"])
    yield "<h3>What came back for a card of each variety</h3>"
    yield (
        "<p>In trades in which cards went both ways: each card of a side got an equal part of what came back, counted"
        " in cards, and in the coins that these can bring at most, as parts of best fields. Its worth is the same"
        " yardstick for the card itself.</p>"
    )
    yield from draw_by_system(document["prices"], _price, "h4")
    yield tabulate(document["prices"])
    swaps = list_most_frequent(document["swaps"], "one", "trades")
    yield "<h3>One card for one, the most frequent pairs</h3>"
    yield from draw_by_system(swaps, _swap, "h4")
    yield tabulate(swaps)
    yield "<h3>Given for no card, the most frequent varieties</h3>"
    yield tabulate(list_most_frequent(document["gifts"], "variety", "cards"))
    yield "<h2>Disputes, and what went otherwise</h2>"
    yield _disputes(document["disputes"])
    yield from _of_store(document["store"])


def _of_store(figures: dict[str, Any] | None) -> Iterator[str]:
    """What the store says besides the records, or that there was none to ask."""
    yield "<h2>What no record tells</h2>"
    if figures is None:
        yield (
            "<p>This page was made from records alone. It cannot know of cases that are open, were withdrawn or"
            " lapsed, of rulings that left the game as it was, of what the service has validated and audited, nor of"
            " what was refused: none of that stands in a record.</p>"
        )
        return
    yield "<h3>Cases of all games, by reason and status</h3>"
    yield tabulate(figures["cases"])
    yield "<h3>Rulings in them, those that were appealed against, too</h3>"
    yield tabulate(figures["rulings"])
    yield "<h3>Validations, by verdict</h3>"
    yield tabulate(
        [{"verdict": verdict, "games": count} for verdict, count in figures["validations"].items()]
    )
    yield "<h3>Audits, by what the rules that a game is pinned to answer</h3>"
    yield tabulate([{"result": result, "games": count} for result, count in figures["audits"].items()])
    yield "<h3>Commands of the service's bots, by what became of them</h3>"
    yield tabulate(
        [{"outcome": name, "commands": count} for name, count in figures["commands_of_bots"].items()]
    )


def _left(document: dict[str, Any]) -> Iterator[str]:
    if not document["left"]:
        yield "<p>None was left out.</p>"
        return
    yield "<p>Left out, and in no figure below:</p>"
    yield tabulate([{"reason": reason, "games": count} for reason, count in document["left"].items()])


def _endings(row: dict[str, Any]) -> Bar:
    return Bar(f"{row['players']}: {say_plainly(row['reason'])}", row["games"], str(row["games"]))


def _places(row: dict[str, Any]) -> Bar:
    label = f"{row['players']} players, place {row['place']}"
    return Bar(label, row["share"], _percent(row["share"]), row["low"], row["high"], row["fair"])


def _kinds(row: dict[str, Any]) -> Bar:
    label = f"{row['kind']} {row['bot']}"
    return Bar(label, row["share"], _percent(row["share"]), row["low"], row["high"], row["fair"])


def _wait(row: dict[str, Any]) -> Bar:
    hours = row["seconds"] / 3600
    return Bar(f"{row['kind']}, {say_plainly(row['phase'])}", hours, f"{hours:.1f} h")


def _accepted(row: dict[str, Any]) -> Bar:
    return Bar(row["system"], row["share"], _percent(row["share"]), row["low"], row["high"])


def _swap(row: dict[str, Any]) -> Bar:
    pair = ", ".join(safe(row[side], 30) for side in ("one", "other") if side in row)
    return Bar(pair, row["trades"], str(row["trades"]))


def _price(row: dict[str, Any]) -> Bar:
    coins = row["got_coins"]
    return Bar(row["variety"], coins, f"{coins:.2f} coins", mark=row["worth"])


def _disputes(disputes: dict[str, Any]) -> str:
    rows = [
        *({"what": f"held up: {reason}", "times": count} for reason, count in disputes["pauses"].items()),
        *({"what": f"ruled: {kind}", "times": count} for kind, count in disputes["rulings"].items()),
        {"what": "games that went back", "times": disputes["went_back"]},
        {"what": "how often they did", "times": disputes["rewindings"]},
        {"what": "times that were over by the clock", "times": disputes["expired"]},
        {"what": "seats whose player had left at the end", "times": disputes["seats_left"]},
    ]
    return tabulate(rows)


def _percent(share: float) -> str:
    return f"{share:.1%}"
