"""The figures of a game add up: coins to the result, planted and harvested to the fields, time to the whole."""

from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import msgspec
import pytest

from events.game.record import read_record
from events.log.disclosure import ALL, PUBLIC
from events.rules.catalogues.catalogue import shipped_catalogue
from replay.timeline.statistics.figures import GameStatistics
from replay.timeline.statistics.plots import plot
from replay.timeline.statistics.rows import CURVE_LENGTH, curve
from replay.timeline.statistics.tally import Tally, card_values, compute_statistics
from replay.timeline.timeline import read_timeline
from tests.replay.commands.commands import ROOT, run
from tests.replay.commentary.told import LOGS, WHOLE, record_of
from tests.support.depth import depth
from tests.support.hostile_game import HOSTILE, hostile_record

SOME = [
    LOGS / name
    for name in (
        "classic/five-players.ndjson",
        "the-duel/two-players.ndjson.gz",
        "ladybohn/four-players-distinct-fields.ndjson.gz",
        "ladybohn-expansion/5-players-levy-24.ndjson.gz",
        "bean-duel/2-players-4011.ndjson.gz",
    )
]


def figures(path: Path, viewer: int = ALL) -> GameStatistics:
    """The statistics of a whole recorded game."""
    return compute_statistics(read_timeline(*record_of(path), viewer))


@pytest.mark.deep
@pytest.mark.parametrize("path", depth(SOME, WHOLE), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_the_figures_add_up_at_every_version(path: Path) -> None:
    """Coins are what came and went, planted less harvested lies on the fields, offers end once, time is used up.

    Of a game that went back what counts; where a ruling gave the result the stacks do not.
    """
    header, forms = record_of(path)
    timeline = read_timeline(header, forms, ALL)
    tally = Tally(header.catalogue, ALL)
    found = tally.statistics()
    variety = {bean.card: bean.variety for bean in header.catalogue.beans}
    for version in timeline.effective_history().select_effective(range(1, timeline.last + 1)):
        step = timeline.at(version)
        tally.add(step)
        if version % 7 and version != timeline.last:
            continue
        found = tally.statistics()
        assert found.milliseconds == found.others_milliseconds + sum(own.milliseconds for own in found.seats)
        assert found.turns == sum(own.turns for own in found.seats)
        for own, seat in zip(found.seats, step.state.seats, strict=True):
            assert sum(own.coins_from.values()) == own.coins == len(seat.coins)
            assert sum(own.earned.values()) == own.coins_from.get("harvests", 0)
            growing = Counter(variety[card] for field in seat.fields for card in field)
            assert Counter(own.planted) - Counter(own.harvested) == growing
            assert not Counter(own.harvested) - Counter(own.planted)
            ended = own.offers_accepted + own.offers_withdrawn + own.offers_lapsed + own.offers_refused
            assert own.offers == ended + sum(offer.seat == own.seat for offer in step.state.offers)
        _check_trades(found)
        if found.coins:
            assert found.coins[-1].coins == tuple(own.coins for own in found.seats)

    assert timeline.broken is None
    worth = {"coins": 1, "cents": 100}[found.unit]
    result = timeline.at(timeline.last).state.result
    assert result is not None
    if result.reason == "replaced":
        assert tuple(own.score for own in found.seats) == result.scores
        return
    assert [own.score for own in found.seats] == [own.coins * worth + own.bonus_cents for own in found.seats]


def _check_trades(found: GameStatistics) -> None:
    """What one side gave the other received."""
    sides = {(own.seat, each.partner): each for own in found.seats for each in own.trades}
    for (seat, partner), own in sides.items():
        other = sides[partner, seat]
        assert (own.trades, own.given, own.value_given) == (
            other.trades,
            other.received,
            other.value_received,
        )
    assert sum(own.offers_accepted for own in found.seats) * 2 == sum(each.trades for each in sides.values())


def test_a_viewer_learns_nothing_but_what_it_drew() -> None:
    """Everybody gets the same figures, except for the cards drawn: those of others are counted as unknown."""
    whole, public, seat = (figures(SOME[0], viewer) for viewer in (ALL, PUBLIC, 1))

    for own, seen, other in zip(whole.seats, seat.seats, public.seats, strict=True):
        total = sum(own.drawn.values())
        assert other.drawn == {"?": total}
        assert seen.drawn == (own.drawn if own.seat == 1 else {"?": total})
        own.drawn = seen.drawn = other.drawn = {}
    assert msgspec.structs.replace(whole, viewer="") == msgspec.structs.replace(public, viewer="")
    assert msgspec.structs.replace(whole, viewer="") == msgspec.structs.replace(seat, viewer="")


def test_a_card_is_worth_what_its_best_field_pays_for_it() -> None:
    """Bohnanza (104): 4 coins for 10 blue beans, 2 for 2 garden beans; a card that pays nothing is worth 0."""
    values = card_values(shipped_catalogue("bohnanza-104"))
    lady = card_values(shipped_catalogue("ladybohn"))

    assert values["blue"] == 4 / 10
    assert values["garden"] == max(2 / 2, 3 / 3)
    assert lady["blue_baby"] == lady["blue"] > 0
    assert card_values(shipped_catalogue("ladybohn-expansion"))["make_up_female"] == 0


def test_figures_of_a_game_that_has_begun_have_no_result() -> None:
    """In the middle of a game there is no score, no unit and no winner."""
    header, forms = record_of(SOME[0])
    tally = Tally(header.catalogue, PUBLIC)
    timeline = read_timeline(header, forms[:100], PUBLIC)
    for version in range(1, 101):
        tally.add(timeline.at(version))
    found = tally.statistics()

    assert (found.unit, found.winners, found.status) == ("", (), "running")
    assert {own.score for own in found.seats} == {None}


def test_a_curve_ends_where_the_coins_do() -> None:
    """The last bar is the last number of coins, the highest one the most that anybody had."""
    found = figures(SOME[3])
    curves = [curve(found, own.seat) for own in found.seats]
    most = max(max(each.coins) for each in found.coins)

    assert {len(each) for each in curves} == {CURVE_LENGTH}
    for own, drawn in zip(found.seats, curves, strict=True):
        assert "▁▂▃▄▅▆▇█".index(drawn[-1]) == own.coins * 7 // most


class Picture(HTMLParser):
    """What a reader of an SVG file finds in it: its elements, and all its text."""

    def __init__(self, content: str) -> None:
        """Read it."""
        super().__init__()
        self.elements: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""
        self.feed(content)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element and its attributes."""
        self.elements.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        """Note a text."""
        self.text += data


def test_a_picture_shows_hostile_names_as_text(tmp_path: Path) -> None:
    """Names are neither formulas nor markup of the picture, which is the same each time it is drawn."""
    header, forms = read_record(iter(hostile_record()))
    found = compute_statistics(read_timeline(header, forms, ALL))
    found.seats[0].name = "_$\\frac{1}{0}$ \u3055\u304f\u3089"
    for name in ("once.svg", "again.svg", "p.png", "p.pdf"):
        with (tmp_path / name).open("wb") as file:
            plot(found, file, Path(name).suffix)

    drawn = (tmp_path / "once.svg").read_bytes()
    read = Picture(drawn.decode())
    assert drawn == (tmp_path / "again.svg").read_bytes()
    assert read.elements.isdisjoint({"script", "a", "b", "image", "foreignobject"})
    assert [name for name in read.attributes if name.startswith("on")] == []
    assert HOSTILE[2] in read.text
    assert "_$\\frac{1}{0}$" in read.text
    assert (tmp_path / "p.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "p.pdf").read_bytes().startswith(b"%PDF")


def test_the_command_ends_as_all_do(tmp_path: Path) -> None:
    """0 for a record that holds, 1 with the figures so far for one that does not, 2 for wrong use."""
    lines = SOME[0].read_bytes().splitlines(keepends=True)
    broken = tmp_path / "broken.ndjson"
    broken.write_bytes(b"".join([*lines[:60], lines[61]]))
    fine, finding = run("stats", SOME[0], "--json", "--as", "public"), run("stats", broken, "--json")

    assert msgspec.json.decode(fine.stdout, type=GameStatistics) == figures(SOME[0], PUBLIC)
    assert (fine.returncode, finding.returncode) == (0, 1)
    assert msgspec.json.decode(finding.stdout)["version"] == 59
    assert run("stats", SOME[0], "--plot", tmp_path / "picture.exe").returncode == 2
    assert run("stats", SOME[0], "--plot", tmp_path / "none" / "picture.svg").returncode == 2
    assert run("stats", ROOT / "README.md").returncode == 2
