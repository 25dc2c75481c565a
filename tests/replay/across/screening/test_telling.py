"""What a screen says to a person: what came of it, how sure it is, and whether a case can still be opened."""

import shlex

import pytest
from msgspec.structs import replace

from replay.across.screening.comparing.screen import Pair, Screen, compare
from replay.across.screening.figures.game import GIFT, Moment, ScreenedGame
from replay.across.screening.telling.following_up import (
    DISPUTE_SECONDS,
    Places,
    case_command,
    show_command,
    why_no_case,
)
from replay.across.screening.telling.text import screen_document, screen_lines
from tests.replay.across.screening.made_up_games import made_up_games

DAY = 86_400_000
PAIR = ("p0", "p1")
NOW = 1_790_000_000_000


@pytest.fixture(scope="module")
def found() -> Screen:
    """A screen of games that no clock saw, in which one pair stands out."""
    games = [
        replace(game, moments=(Moment(10, GIFT, _seats(game), 0.5, 0.1),))
        if {*PAIR} <= {*game.players}
        else game
        for game in made_up_games(60, "a", favour=0.6)
    ]
    screen = compare(games, draws=199)
    assert len(screen.standing_out) == 1
    assert len(screen.standing_out[0].moments) >= 2
    return screen


def _seats(game: ScreenedGame) -> tuple[int, int]:
    one, other = map(game.players.index, PAIR)
    return one, other


def ended(pair: Pair, *days_ago: float) -> Pair:
    """The pair with moments in games that ended so many days ago, the first ones of its own."""
    moments = tuple(
        replace(seen, ended=int(NOW - days * DAY)) for seen, days in zip(pair.moments, days_ago, strict=False)
    )
    return replace(pair, moments=moments)


def test_a_case_is_about_the_first_moment_whose_game_may_still_be_disputed(found: Screen) -> None:
    """An earlier one of the list is shown, and no command is given that a service would refuse."""
    pair = ended(found.standing_out[0], 14, 13.9)

    words = shlex.split(case_command(found, pair, Places("games", now=NOW)))

    assert words[3] == pair.moments[1].game
    assert why_no_case(pair, Places("games", now=NOW)) == ""


def test_where_every_game_is_older_it_says_that_it_is_too_late(found: Screen) -> None:
    """After 14 days, or after what whoever runs the service has chosen."""
    pair = ended(found.standing_out[0], 14, 20)
    places = Places("games", now=NOW)
    screen = replace(found, pairs=(pair,))

    assert case_command(found, pair, places) == ""
    text = "\n".join(screen_lines(screen, places, 1))
    assert "It is too late to open a case: a game may be disputed for 14 days" in text
    assert "fieldbook disputes" not in text
    (written,) = screen_document(screen, places)["pairs"]
    assert written["open_a_case"] is None
    assert "too late" in written["no_case"]
    assert case_command(found, pair, places._replace(dispute_seconds=2 * DISPUTE_SECONDS))


def test_about_a_game_without_a_date_a_case_may_be_opened(found: Screen) -> None:
    """Its record does not tell when it ended."""
    assert case_command(found, found.standing_out[0], Places("games", now=NOW))


def test_about_an_archived_game_no_case_is_opened(found: Screen) -> None:
    """A service refuses it, however young the game is."""
    pair, places = ended(found.standing_out[0], 1, 1), Places("games", now=NOW, archived=True)

    assert case_command(found, pair, places) == ""
    assert "archived" in why_no_case(pair, places)


def test_about_who_does_not_stand_out_nothing_is_said_of_a_case(found: Screen) -> None:
    """Neither how nor why not."""
    pair = found.pairs[1]

    assert case_command(found, pair, Places("games")) == ""
    assert why_no_case(pair, Places("games", archived=True)) == ""


def test_a_service_is_asked_by_the_id_of_a_game(found: Screen) -> None:
    """It does not know the file of the archive that its record was read from."""
    seen = replace(found.standing_out[0].moments[0], source="games/game-001.0123456789abcdef.ndjson.gz")

    at = show_command(seen, "https://example.org/v1/games")
    assert shlex.split(at)[3] == f"https://example.org/v1/games/{seen.game}"
    assert shlex.split(show_command(seen, "records"))[3] == f"records/{seen.source}"


def test_an_interval_is_said_to_be_of_its_measure_alone(found: Screen) -> None:
    """Beside the figures, in the JSON, and in the text of a case: what stands out most was chosen of many."""
    case = case_command(found, found.standing_out[0], Places("games"))

    assert f"not corrected for its being the most striking of {found.tests} tests" in case
    assert "not corrected for many pairs and measures" in "\n".join(screen_lines(found, Places("games"), 1))
    assert "not corrected" in screen_document(found, Places("games"))["intervals"]


def test_who_stands_out_is_at_or_below_the_rate(found: Screen) -> None:
    """A small p is what is striking."""
    text = "\n".join(screen_lines(found, Places("games"), 1))

    assert (
        f"1 pair out of {len(found.pairs)} stands out: marked * is what has a corrected p of 0.05 or less."
        in text
    )
    assert "above the published rate" not in text
