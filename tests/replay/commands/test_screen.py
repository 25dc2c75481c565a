"""`fieldbook screen`: from a folder of records to a pair, the moments that give it away, and a case."""

import json
import re
import shlex
import shutil
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from events.domain_events import TradeMade
from replay.across.played_game import PlayedGame
from replay.across.reading import read_game
from replay.across.screening.comparing.screen import compare
from replay.across.screening.figures.reading import read_games
from replay.across.screening.rollouts.playing_on import PlayOn
from replay.across.screening.rollouts.screen import roll_out
from replay.across.screening.telling.following_up import Places
from replay.across.screening.telling.text import screen_lines
from replay.across.source import RecordFolder
from replay.commands.disputes import open_dispute
from service.command_line import main
from service.simulation.simulating import Plan, simulate
from tests.benchmarks.colluding_bots import colluding_bots
from tests.replay.commands.commands import LOGS, run

PAIR = ["player 1", "player 2"]
SERVICE = "https://example.org"


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ten games of four players, of whom two collude."""
    folder = tmp_path_factory.mktemp("a folder")
    plan = Plan("classic", 3, 10, ("colluder-1", "colluder-1", "greedy"), "5", pool=4)
    with colluding_bots(plan.bots):
        for _ in simulate(plan, folder):
            pass
    return folder


def called(*arguments: object) -> Result:
    """What the command does in this process, with one worker."""
    return CliRunner().invoke(main, ["screen", *map(str, arguments), "--workers", "1"])


def test_an_auditor_comes_from_a_folder_to_the_gift_that_gives_a_pair_away(records: Path) -> None:
    """The pair is first and marked, its moments can be shown, and a case can be opened; status 1."""
    done = called(records, "--service", SERVICE)

    assert done.exit_code == 1, done.output
    assert "1. player 1 and player 2, 7 games together" in done.output
    assert re.search(r"gifts +\+\d\.\d\d .* \*\n", done.output)
    assert "is no proof" in done.output
    show = next(line for line in done.output.splitlines() if "fieldbook replay show" in line)
    words = shlex.split(show)
    shown = run(*words[2:])
    assert shown.returncode == 0
    version = words[words.index("--at") + 1]
    assert re.search(rf"https://example\.org/games/classic-\w+-\d+#v={version}\n", done.output)
    opened = next(line for line in done.output.splitlines() if "disputes" in line)
    words = shlex.split(opened)
    place = words.index("open")
    assert words[:place] == ["fieldbook", "disputes", "--service", SERVICE]
    parsed = open_dispute.make_context("open", words[place + 1 :]).params
    assert (parsed["reason"], parsed["version"]) == ("collusion", int(version))


def test_without_a_service_it_makes_the_pages_on_which_to_look(records: Path, tmp_path: Path) -> None:
    """Of those who stand out; each link names a page that holds the gift, and nothing leads nowhere."""
    pages = tmp_path / "to look at"
    done = called(records, "--pages", pages, "--most", "1")

    links = re.findall(r"^     (file://\S+\.html)#v=(\d+)$", done.output, re.MULTILINE)
    assert len(links) == 5
    for address, version in links:
        page = Path(url2pathname(urlsplit(address).path))
        assert page.parent == pages
        assert f'"{page.stem}' in page.read_text("utf-8")
        assert f"{page.stem}, version {version}: " in done.output
    assert {Path(url2pathname(urlsplit(address).path)) for address, _ in links} == {*pages.iterdir()}
    assert "/games/classic" not in done.output.replace(str(records), "")
    assert "--pages FOLDER" not in done.output


def test_the_json_has_every_pair_and_is_the_same_every_time(records: Path) -> None:
    """Byte for byte, on one core and on two."""
    one, two = (
        run("screen", records, "--json", "--workers", "1"),
        run("screen", records, "--json", "--workers", "2"),
    )

    assert one.stdout == two.stdout
    assert one.returncode == 1
    found = json.loads(one.stdout)
    assert found["pairs"][0]["names"] == PAIR
    assert [pair["stands_out"] for pair in found["pairs"]] == [True, False, False, False]
    assert [pair["open_a_case"] is not None for pair in found["pairs"]] == [True, False, False, False]
    assert found["value_function"] == "fields-1"
    assert found["pairs"][0]["moments"][0]["moment"]["kind"] == "gift"
    assert found["pairs"][0]["moments"][0]["page"].startswith("/games/classic-")


def test_names_are_replaced_where_somebody_wants_to_judge_without_them(records: Path, tmp_path: Path) -> None:
    """The same key gives the same pseudonyms; the figures stay."""
    key = tmp_path / "names.key"
    first, again = (
        called(records, "--pseudonyms", key, "--json"),
        called(records, "--pseudonyms", key, "--json"),
    )

    assert first.stdout == again.stdout
    assert '"player 1"' not in first.stdout
    assert re.search('"player-[0-9a-f]{12}"', first.stdout)
    assert (
        json.loads(first.stdout)["pairs"][0]["found"]
        == json.loads(called(records, "--json").stdout)["pairs"][0]["found"]
    )


def test_what_is_left_out_is_named_and_counted(records: Path, tmp_path: Path) -> None:
    """Counted by reason; as text only records in question are named, as JSON all games."""
    folder = tmp_path / "more"
    shutil.copytree(records, folder)
    some = sorted(folder.iterdir())
    whole = some[0].read_text("utf-8")
    (folder / "forged.ndjson").write_text(
        whole.replace('"type":"bean_planted"', '"type":"talked"', 1), "utf-8"
    )
    shutil.copy(some[1], folder / "copy.ndjson")
    (folder / "no.ndjson").write_text("nothing\n", "utf-8")
    shutil.copy(LOGS / "ended-annulled.ndjson.gz", folder)
    done = called(folder, "--json")

    assert done.exit_code == 1
    found = json.loads(done.stdout)
    assert found["left_out_by_reason"] == {"annulled": 1, "does_not_verify": 2, "twice": 1}
    assert {each["source"] for each in found["left_out"]} == {
        "forged.ndjson", "no.ndjson", "copy.ndjson", "ended-annulled.ndjson.gz"
    }  # fmt: skip
    assert found["games"] == 10
    text = called(folder).output
    assert "4 games left out: 1 annulled, 2 does_not_verify, 1 twice; --json names each." in text
    assert all(name in text for name in ("forged.ndjson", "no.ndjson"))
    assert all(name not in text for name in ("copy.ndjson", "ended-annulled.ndjson.gz"))
    assert "#v=" not in text
    assert "--pages FOLDER writes" in text


def test_where_nothing_stands_out_the_status_is_0(records: Path) -> None:
    """Here by a rate that only one in 2,000 draws reaches."""
    done = called(records, "--rate", "0.0005")

    assert done.exit_code == 0
    assert "No pair stands out." in done.output
    found = json.loads(called(records, "--rate", "0.0005", "--json").stdout)
    assert (found["findings"], found["nothing_compared"]) == ({"pairs": 0, "records": 0}, None)


def test_where_nothing_could_stand_out_that_is_said_and_is_no_result(records: Path, tmp_path: Path) -> None:
    """Nobody met often enough, or every game was left out: status 2, as for a folder without a record."""
    shutil.copy(LOGS / "ended-annulled.ndjson.gz", tmp_path)
    for given, why in (
        ((records, "--together", "9"), "no two players had 9 games together"),
        ((tmp_path,), "every game was left out"),
    ):
        done = called(*given)

        assert done.exit_code == 2
        assert f"Nothing was compared: {why}." in done.output
        assert "No pair stands out." not in done.output
        in_json = called(*given, "--json")
        assert in_json.exit_code == 2
        assert json.loads(in_json.stdout)["nothing_compared"] == why


def test_a_rate_that_no_draw_can_reach_is_refused(records: Path) -> None:
    """The message says which one can be."""
    done = called(records, "--rate", "0.0004")

    assert done.exit_code == 2
    assert "nobody could stand out: give 0.0005 or more." in " ".join(done.stderr.split())


def test_a_record_in_question_is_a_finding_though_nobody_stands_out(records: Path, tmp_path: Path) -> None:
    """As dataset and report have it; what is merely left out is none."""
    folder = tmp_path / "more"
    shutil.copytree(records, folder)
    shutil.copy(LOGS / "ended-annulled.ndjson.gz", folder)
    assert called(folder, "--rate", "0.0005").exit_code == 0

    whole = min(folder.glob("*.ndjson")).read_text("utf-8")
    (folder / "forged.ndjson").write_text(
        whole.replace('"type":"bean_planted"', '"type":"talked"', 1), "utf-8"
    )
    done = called(folder, "--rate", "0.0005", "--json")
    text = called(folder, "--rate", "0.0005")

    assert (done.exit_code, text.exit_code) == (1, 1)
    assert json.loads(done.stdout)["findings"] == {"pairs": 0, "records": 1}
    assert "1 record in question (" in text.output


@pytest.mark.parametrize(
    "wrong",
    [
        ("no such folder",),
        (".", "--rate", "2"),
        (".", "--rate", "0.0001"),
        (".", "--leave-out", "unlisted"),
        (".", "--rollouts", "1"),
        (".", "--include", "private"),
        (".", "--service", "javascript:1"),
        (".", "--pages", "pages", "--pseudonyms", "names.key"),
    ],
)
def test_wrong_use_ends_with_2(wrong: tuple[str, ...]) -> None:
    """And one line says what is wrong."""
    done = called(*wrong)

    assert done.exit_code == 2
    assert "Error: " in done.stderr


def test_a_folder_without_records_is_wrong_use(tmp_path: Path) -> None:
    """There is nothing that could stand out."""
    done = called(tmp_path)

    assert done.exit_code == 2
    assert "no record" in done.stderr


@pytest.mark.process
def test_bots_play_on_from_the_moments_of_who_stands_out(records: Path) -> None:
    """The same on one core and on two; it says what a trade is worth, and changes nobody's figures."""
    source = RecordFolder(records)
    games, left = read_games(source, workers=1)
    whole = compare(games, left)
    (pair,) = whole.standing_out
    late = tuple(sorted(pair.moments, key=lambda seen: seen.moment.version)[-2:])
    others = tuple(each for each in whole.pairs if each is not pair)
    screen = replace(whole, pairs=(replace(pair, moments=late), *others))

    one, two = (roll_out(screen, source, 2, workers) for workers in (1, 2))

    assert one == two
    assert [(each.names, each.found) for each in one.pairs] == [
        (each.names, each.found) for each in screen.pairs
    ]
    assert one.pairs[1:] == others
    played = [seen.rollouts for seen in one.pairs[0].moments if seen.rollouts is not None]
    assert [each.games for each in played] == [2, 2]
    assert all(each.interval[0] <= each.coins <= each.interval[1] for each in played)
    assert "played on 2 times, with it and refused: player" in "\n".join(
        screen_lines(one, Places("games"), 1)
    )
    assert roll_out(replace(screen, seed="2"), source, 2, 1).pairs[0] != one.pairs[0]


def test_a_game_that_cannot_be_read_again_is_named_among_what_was_not_played_on(
    records: Path, tmp_path: Path
) -> None:
    """It was there for the screen, and is gone before bots play on."""
    folder = tmp_path / "some"
    shutil.copytree(records, folder)
    source = RecordFolder(folder)
    whole = compare(*read_games(source, workers=1))
    (pair,) = whole.standing_out
    gone = pair.moments[0]
    (folder / gone.source).unlink()
    screen = replace(whole, pairs=(replace(pair, moments=(gone,)),))

    found = roll_out(screen, source, 2, 1)

    assert [(each.source, each.reason) for each in found.not_played_on] == [(gone.source, "unreadable")]
    text = "\n".join(screen_lines(found, Places("games"), 1))
    assert "1 game not played on, read in vain the second time:\n" in text
    assert f"  {gone.source}  unreadable: " in text


def test_a_gift_that_completes_a_field_is_worth_coins_to_who_gets_it(records: Path) -> None:
    """Whatever is drawn afterwards; and what is no accepted offer is not played on."""
    path = next(each for each in sorted(records.iterdir()) if each.stem.endswith("-0009"))
    played = read_game(RecordFolder(records), path.name)
    assert isinstance(played, PlayedGame)
    gift = next(each for each in played.entries if each.version == 413)
    assert isinstance(gift.event, TradeMade)
    assert not (gift.event.active_cards and gift.event.partner_cards)
    giver, taker = gift.event.active, gift.event.partner
    if gift.event.partner_cards:
        giver, taker = taker, giver
    moments = {played.game: ((413, (giver, taker)), (412, (giver, taker)))}

    found = PlayOn(moments, 3, "1")(played)

    assert {*found} == {413}
    assert found[413].coins > 0
