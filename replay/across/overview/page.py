"""An overview as one HTML page: plots with the same figures as tables, no script, and nothing that it loads.

Every text stands in it escaped, and made fit for a screen: names of varieties come from catalogues, which anybody may
have written.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape
from itertools import groupby
from typing import Any, Final

from replay.across.overview.bars import Bar, bars
from replay.exports.policies import source_hash
from replay.platform.counting import count_in_words
from replay.platform.safe_text import safe

_STYLE: Final = """
:root { color-scheme: light dark; --line: #8886; --bar: #4a7ab5; --interval: #d9822b; --mark: #c23030; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 64rem; padding: 1rem; }
h1 { font-size: 1.5rem; line-height: 1.25; }
h2 { border-bottom: 1px solid var(--line); font-size: 1.2rem; margin-top: 2rem; }
h3 { font-size: 1rem; margin: 1rem 0 .25rem; }
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
LONGEST: Final = 120
"""Characters of a text of a record at most."""
Rows = Sequence[dict[str, Any]]


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
    yield from _by_system(document["endings"], _endings)
    yield _table(document["endings"])
    yield "<h2>How long games are</h2>"
    yield "<p>Turns of all games; minutes of those that a clock saw. The median is the lower middle one.</p>"
    yield _table([_flat(row) for row in document["lengths"]])
    yield "<h2>Whether it is better to begin</h2>"
    yield (
        "<p>The share of wins by place in the order of play, with the interval in which it lies with 95 % certainty"
        " (Wilson). The line across is the fair share; a shared victory counts for each who won.</p>"
    )
    yield from _by_system(document["places"], _places)
    yield _table(document["places"])
    yield "<h2>Bots against others</h2>"
    yield "<p>In games in which both sat at the table.</p>"
    yield from _by_system(document["kinds"], _kinds)
    yield _table(document["kinds"])
    yield "<h2>For whom the table waits</h2>"
    yield "<p>While it waited for one seat alone, in games that a clock saw, by who sits there.</p>"
    yield _plot("Hours", [_wait(row) for row in document["waits"]])
    yield _table([_flat(row) for row in document["waits"]])
    yield "<h2>Trades</h2>"
    yield "<h3>Offers, and the share that was accepted</h3>"
    yield _plot("Accepted", [_accepted(row) for row in document["offers"]], 1.0)
    yield _table(document["offers"])
    yield "<h3>One card for one, the most frequent pairs</h3>"
    yield _plot("Trades", [_swap(row) for row in document["swaps"]])
    yield _table(document["swaps"])
    yield "<h3>Given for nothing, the most frequent varieties</h3>"
    yield _table(document["gifts"])
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
    yield _table(figures["cases"])
    yield "<h3>Rulings in them, those that were appealed against, too</h3>"
    yield _table(figures["rulings"])
    yield "<h3>Validations, by verdict</h3>"
    yield _table([{"verdict": verdict, "games": count} for verdict, count in figures["validations"].items()])
    yield "<h3>Audits, by what the rules that a game is pinned to answer</h3>"
    yield _table([{"result": result, "games": count} for result, count in figures["audits"].items()])
    yield "<h3>Commands of the service's bots, by what became of them</h3>"
    yield _table(
        [{"outcome": name, "commands": count} for name, count in figures["commands_of_bots"].items()]
    )
    yield "<h3>What was refused to people and programs, by code</h3>"
    yield (
        "<p>Of all requests but probes, since the installation keeps it; <code>/docs</code> says what a code"
        " means.</p>"
    )
    yield _table([{"code": code, "times": count} for code, count in figures["refusals"].items()])


def _left(document: dict[str, Any]) -> Iterator[str]:
    if not document["left"]:
        yield "<p>None was left out.</p>"
        return
    yield "<p>Left out, and in no figure below:</p>"
    yield _table([{"reason": reason, "games": count} for reason, count in document["left"].items()])


def _by_system(rows: Rows, line: Callable[[dict[str, Any]], Bar]) -> Iterator[str]:
    """A picture for each rule system."""
    for system, own in groupby(rows, lambda row: row["system"]):
        lines = [line(row) for row in own]
        yield f"<h3>{_text(system)}</h3>"
        yield _plot(system, lines, None if lines[0].low is None else 1.0)


def _endings(row: dict[str, Any]) -> Bar:
    return Bar(f"{row['players']}: {_plain(row['reason'])}", row["games"], str(row["games"]))


def _places(row: dict[str, Any]) -> Bar:
    label = f"{row['players']} players, place {row['place']}"
    return Bar(label, row["share"], _percent(row["share"]), row["low"], row["high"], 1 / row["players"])


def _kinds(row: dict[str, Any]) -> Bar:
    return Bar(f"{row['kind']} {row['bot']}", row["share"], _percent(row["share"]), row["low"], row["high"])


def _wait(row: dict[str, Any]) -> Bar:
    hours = row["seconds"] / 3600
    return Bar(f"{row['kind']}, {_plain(row['phase'])}", hours, f"{hours:.1f} h")


def _accepted(row: dict[str, Any]) -> Bar:
    return Bar(row["system"], row["share"], _percent(row["share"]), row["low"], row["high"])


def _swap(row: dict[str, Any]) -> Bar:
    pair = f"{row['system']}: {safe(row['one'], 30)}, {safe(row['other'], 30)}"
    return Bar(pair, row["trades"], str(row["trades"]))


def _disputes(disputes: dict[str, Any]) -> str:
    rows = [
        *({"what": f"held up: {reason}", "times": count} for reason, count in disputes["pauses"].items()),
        *({"what": f"ruled: {kind}", "times": count} for kind, count in disputes["rulings"].items()),
        {"what": "games that went back", "times": disputes["went_back"]},
        {"what": "how often they did", "times": disputes["rewindings"]},
        {"what": "times that were over by the clock", "times": disputes["expired"]},
        {"what": "seats whose player had left at the end", "times": disputes["seats_left"]},
    ]
    return _table(rows)


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    """A row whose groups of figures are columns."""
    flat: dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, dict):
            flat |= {f"{name} {inner}": each for inner, each in value.items()}
        elif value is not None:
            flat[name] = value
    return flat


def _plot(title: str, lines: Sequence[Bar], most: float | None = None) -> str:
    """The lines as a picture, which scrolls where the window is too narrow to read it; nothing without lines."""
    return f'<div tabindex="0">{bars(title, lines, most)}</div>' if lines else ""


def _table(rows: Iterable[dict[str, Any]]) -> str:
    found = list(rows)
    if not found:
        return "<p>There is nothing of that.</p>"
    names = list(dict.fromkeys(name for row in found for name in row))
    head = "".join(f'<th scope="col">{_text(name.replace("_", " "))}</th>' for name in names)
    body = "".join(f"<tr>{''.join(_cell(name, row.get(name)) for name in names)}</tr>\n" for row in found)
    return (
        f'<div tabindex="0"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody>\n</table></div>'
    )


def _cell(name: str, value: Any) -> str:
    """A cell; words of programs are written as people write them, but for a code, which they look up."""
    if isinstance(value, int | float):
        return (
            f'<td class="number">{value:,.4g}</td>'
            if isinstance(value, float)
            else f'<td class="number">{value}</td>'
        )
    text = "" if value is None else str(value)
    return f"<td>{_text(text) if name == 'code' else escape(_plain(text))}</td>"


def _plain(code: str) -> str:
    """A word of a program as people write it: `coins_levied`."""
    return safe(code, LONGEST).replace("_", " ")


def _percent(share: float) -> str:
    return f"{share:.1%}"


def _text(text: str) -> str:
    return escape(safe(text, LONGEST))
