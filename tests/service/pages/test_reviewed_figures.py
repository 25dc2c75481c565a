"""What the panels say of a game is what its record says, read by the replay tools, which trust nobody."""

import json
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

from click.testing import CliRunner
from playwright.sync_api import Browser, Page, expect

from events.log.disclosure import PUBLIC
from replay.command_line import replay
from replay.timeline.knowledge import knowledge
from replay.timeline.statistics.tally import compute_statistics
from tests.replay.exports.pages import data_in
from tests.service.pages.reviewed import NAMES, Reviewed, panel
from tests.support.chromium import reader


def rows(page: Page, name: str) -> list[list[str]]:
    """The cells of a table, row by row."""
    found: list[list[str]] = page.locator(f"#panel-figures [aria-label='{name}'] table").evaluate(
        "(table) => [...table.tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.textContent))"
    )
    return found


def round_as_shown(figure: float) -> float:
    """To one digit; halves away from zero, as a browser does it, and not to the next even digit."""
    return float(Decimal(figure).quantize(Decimal("0.1"), ROUND_HALF_UP))


def test_the_plots_show_the_figures_of_the_record(reviewed: Reviewed, chromium: Browser) -> None:
    """Coins over time, what trades brought and the time used; each plot has a table behind it."""
    figures = compute_statistics(reviewed.timeline)
    with reader(chromium) as someone:
        page = reviewed.open(someone)
        panel(page, "figures")
        coins = [[str(each.version), str(each.turn), *map(str, each.coins)] for each in figures.coins]
        assert rows(page, "Coins over time") == coins
        assert [[int(cells[1]), cells[2]] for cells in rows(page, "Time used")] == [
            [own.commands, f"{round_as_shown(own.milliseconds / 1000)}\u00a0s"] for own in figures.seats
        ]
        traded = [
            [each.trades, sum(each.given.values()), sum(each.received.values())]
            for own in figures.seats
            for each in own.trades
        ]
        assert traded
        assert [[*map(int, cells[2:5])] for cells in rows(page, "Balance of trades")] == traded
        assert page.locator("#panel-figures [role=img]").count() == 3
        bars = page.locator("svg[aria-label='Balance of trades'] .bar-text").all_text_contents()
        assert [float(text) for text in bars] == [round_as_shown(own.balance) for own in figures.seats]

        page.locator("#panel-figures summary").first.click()
        page.locator("#panel-figures [aria-label='Coins over time'] table button").last.click()
        expect(page.locator("#version")).to_have_value(coins[-1][0])


def test_figures_are_written_as_in_the_language_of_the_reader(reviewed: Reviewed, chromium: Browser) -> None:
    """With a comma in German; so is a time of less than a minute."""
    used = [own.milliseconds / 1000 for own in compute_statistics(reviewed.timeline).seats]
    assert max(used) < 60
    with reader(chromium, language="de") as someone:
        page = someone.page
        page.goto(reviewed.address("#panel=figures"))
        expect(page.locator("#panel-figures table").first).to_be_attached()
        times = [cells[2] for cells in rows(page, "Verbrauchte Zeit")]
        assert times == [f"{round_as_shown(seconds)}\u00a0s".replace(".", ",") for seconds in used]


def test_what_a_seat_could_know_is_what_follows_from_its_record(
    reviewed: Reviewed, chromium: Browser
) -> None:
    """Where the cards are, in numbers; the public knows less; of everything at once there is nothing to know."""
    at = 90
    catalogue, known = reviewed.timeline.header.catalogue, reviewed.timeline.recording.at(at).moment.known
    with reader(chromium) as someone:
        page = reviewed.open(someone, f"#v={at}&as=all&panel=known")
        expect(page.locator("#panel-known")).to_contain_text("Now everything is seen")
        for viewer, name in ((0, NAMES[0]), (2, NAMES[2]), (PUBLIC, "a spectator")):
            page.locator("#panel-known .perspectives button").filter(has_text=name).first.click()
            expect(page.locator("#panel-known h2")).to_have_text(f"What {name} could know at version {at}")
            state = reviewed.timeline.seen_by(viewer).at(at).state
            told = knowledge(catalogue, state, known, viewer)
            pile = page.get_by_role("heading", name=f"Draw pile: {told.draw_pile.size} cards")
            expect(pile).to_be_visible()
            unseen = page.locator("#panel-known table").evaluate(
                "(table) => [...table.tBodies[0].rows].map((row) => row.cells[row.cells.length - 1].textContent)"
            )
            assert [0 if text == "·" else int(text) for text in unseen] == [
                each.unseen for each in told.cards
            ]


def test_what_is_downloaded_is_the_game(reviewed: Reviewed, chromium: Browser, tmp_path: Path) -> None:
    """Its record, and a page that works without a service."""
    with reader(chromium) as someone:
        page = reviewed.open(someone, "#panel=share")
        kept = []
        for name in ("The record, with notes", "A page that works without a service", "The notes alone"):
            with page.expect_download() as download:
                page.get_by_role("button", name=name).click()
            file = tmp_path / download.value.suggested_filename
            download.value.save_as(file)
            kept.append(file.read_text("utf-8"))
        record, exported, notes = kept
        assert json.loads(record.splitlines()[0])["scope"] == "all"
        assert data_in(exported)["last"] == reviewed.timeline.last
        assert json.loads(notes.splitlines()[0])["game"] == reviewed.game


def test_the_evidence_of_a_case_that_is_downloaded_is_what_the_record_says(
    reviewed: Reviewed, chromium: Browser, tmp_path: Path
) -> None:
    """A seat opens a case about the finished game, and saves pack and record; our own tool compares every byte."""
    token = reviewed.party.tokens[0]
    body = {"reason": "clock", "text": f"Look at {NAMES[1]}.", "version": 100}
    path = f"/v1/games/{reviewed.game}/disputes"
    opened = reviewed.service.api.call("POST", path, body, token=token)
    assert opened.status == 201, opened.body
    with reader(chromium) as someone:
        page = reviewed.open(someone, f"#panel=share&token={token}")
        evidence = page.get_by_role("button", name=f"The evidence of case {opened.json['dispute']}")
        for _ in range(60):  # a worker builds it
            if reviewed.service.api.call("GET", path, token=token).json["disputes"][0]["pack"]:
                break
            page.wait_for_timeout(500)
        for button, name in (
            (evidence, "pack.json"),
            (page.get_by_role("button", name="The record"), "record"),
        ):
            with page.expect_download() as download:
                button.click()
            download.value.save_as(tmp_path / name)
    checked = CliRunner().invoke(
        replay, ["evidence", f"{tmp_path}/record", "--check", f"{tmp_path}/pack.json"]
    )
    assert checked.exit_code == 0, checked.output
    assert f"{reviewed.game}, version 100: the pack says what the record says" in checked.output
