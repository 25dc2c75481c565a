"""The page of an overview: everything stands in it as text, nothing is loaded, and anybody can read it."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from replay.across.left import Left, Reason
from replay.across.overview.bars import Bar, bars
from replay.across.overview.game_figures import GameFigures, count_game
from replay.across.overview.overview import Overview
from replay.across.overview.page import POLICY, render_page
from replay.across.overview.parts import MOST_LISTED
from replay.across.overview.trade_figures import PriceFigures, TradeFigures
from replay.across.played_game import PlayedGame
from tests.support.chromium import LAPTOP, PHONE, reader

LEGIBLE = 12
"""Pixels that a line of a picture's text is high at least."""
HOSTILE = "<script>alert(1)</script>\u202e\x1b[2J\" onload='x'"


@pytest.fixture(scope="module")
def document(played: tuple[PlayedGame, ...]) -> dict[str, Any]:
    """An overview of games of all systems, of which one was left out."""
    overview = Overview()
    for each in played:
        overview.add(count_game(each))
    overview.leave(Left("a.ndjson", Reason.DOES_NOT_VERIFY, "version 3, chain: it does not hold"))
    return overview.document()


def test_the_same_figures_give_the_same_page(document: dict[str, Any]) -> None:
    """Byte by byte."""
    assert render_page(document) == render_page(document)


def test_nothing_is_loaded_and_nothing_runs(document: dict[str, Any]) -> None:
    """No script, no style but its own, no address."""
    page = render_page(document)

    assert POLICY.startswith("default-src 'none'; style-src 'sha256-")
    assert f'content="{POLICY}"' in page
    assert not re.findall(r"<script|<link|<img|<a |<form|style=|\bon\w+=|https?:|url\(", page)


def test_every_figure_of_a_plot_stands_in_a_table_too(document: dict[str, Any]) -> None:
    """For whoever does not see it; and every row of the document has its row."""
    page = render_page(document)
    tables = re.findall(r"<tbody>\n(.*?)</tbody>", page, re.DOTALL)

    rows = [table.count("<tr>") for table in tables]
    for name in ("endings", "lengths", "places", "kinds", "waits", "offers", "sizes", "prices"):
        assert len(document[name]) in rows, name
    assert "does not verify" in page
    assert f"<h1>{document['games']} games</h1>" in page


def test_what_is_many_is_cut_off_for_each_system_and_its_others_are_added_up(
    document: dict[str, Any],
) -> None:
    """So a table of pairs and one of what was given say as many as there are in the data."""
    page = render_page(document)
    for name, heading in (("swaps", "One card for one"), ("gifts", "Given for no card")):
        after = page.partition(f"<h3>{heading}")[2]
        rows = re.findall(r"<tr><td>.*?</tr>", after[: after.index("</table>")])
        by_system = Counter(each["system"] for each in document[name])
        numbers = [int(each) for each in re.findall(r'<td class="number">(\d+)</td>', "".join(rows))]

        assert len(rows) == sum(min(count, MOST_LISTED + 1) for count in by_system.values())
        assert sum(numbers) == sum(each["trades" if name == "swaps" else "cards"] for each in document[name])
        others = max(by_system.values()) - MOST_LISTED
        assert (f"<td>({others} others)</td>" in "".join(rows)) == (others > 1)
    assert max(Counter(each["system"] for each in document["swaps"]).values()) > MOST_LISTED + 1


def test_hostile_texts_stand_escaped() -> None:
    """Varieties are named by catalogues, which anybody may have written."""
    overview = Overview()
    trades = TradeFigures(
        {(HOSTILE, HOSTILE): 1}, {HOSTILE: 1}, {(1, 1): 1}, {HOSTILE: PriceFigures(1, 1.0, 0.5, 0.5)}
    )
    overview.add(
        GameFigures(HOSTILE, 2, HOSTILE, 1, 2.0, (), trades, 1, 1, {}, {HOSTILE: 1}, {HOSTILE: 1}, 0, 0)
    )

    page = render_page(overview.document())

    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert "\u202e" not in page
    assert "\x1b" not in page
    assert "onload='" not in page


def test_an_overview_of_nothing_is_a_page() -> None:
    """Which says that there is nothing."""
    page = render_page(Overview().document())

    assert "<h1>0 games</h1>" in page
    assert "There is nothing of that." in page
    assert "<svg" not in page


def test_bars_are_as_long_as_their_values() -> None:
    """The longest fills the width, or what was said to; intervals and marks stand where they belong."""
    picture = bars("Wins", [Bar("one", 10, "10"), Bar("two", 5, "5")])
    shares = bars("Wins", [Bar("one", 0.5, "50 %", low=0.25, high=0.75, mark=0.25)], 1.0)

    assert re.findall(r'<rect x="250" y="\d+" width="([\d.]+)"', picture) == ["380.0", "190.0"]
    assert '<path class="interval" d="M345.0 13H535.0"/>' in shares
    assert '<path class="mark" d="M345.0 2v22"/>' in shares
    assert 'aria-label="Wins: one: 10; two: 5"' in picture


@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_anybody_can_read_it_in_a_browser(
    chromium: Browser, document: dict[str, Any], tmp_path: Path, size: tuple[int, int]
) -> None:
    """It complains about nothing, nobody has to scroll sideways, and the rules of axe-core hold."""
    path = tmp_path / "overview.html"
    path.write_text(render_page(document), encoding="utf-8")
    with reader(chromium, size) as someone:
        someone.page.goto(path.as_uri())

        assert someone.page.locator("svg").count() > 10
        label = someone.page.locator("svg text").first.bounding_box()
        assert label is not None
        assert label["height"] >= LEGIBLE
        assert not someone.is_too_wide()
        assert someone.violations() == []
