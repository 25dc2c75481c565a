"""With pseudonyms a dataset tells no name, and nothing that people wrote freely."""

from pathlib import Path

from replay.across.dataset.names import Names
from replay.across.played_game import PlayedGame
from replay.across.pseudonyms import pseudonym
from replay.across.source import RecordFolder
from tests.replay.across.dataset.datasets import rows_of, write_dataset
from tests.replay.across.folders import write
from tests.support.games_of_players import PLAYERS, game_of_players
from tests.support.recorded_games import NAMES, SENTENCES, recorded_game

KEY = b"a key for tests"
PEOPLE = {name for name in NAMES if len(name) > 3} | {"Ann", "Ben"}


def told_texts(dataset: Path) -> str:
    """Every text in which somebody's name or words could stand."""
    return "\n".join(
        [
            *(row["data"] for row in rows_of(dataset, "events")),
            *(row["data"] for row in rows_of(dataset, "commands")),
            *(row["name"] for row in rows_of(dataset, "seats")),
        ]
    )


def test_names_are_told_as_they_are_in_the_records(dataset: Path) -> None:
    """Where nobody asked for pseudonyms; what is said below must not hold of this."""
    told = told_texts(dataset)

    assert all(name in told for name in PEOPLE)
    assert any(sentence in told for sentence in SENTENCES)
    assert "The service has refused a move" in told
    assert '"seed":"seed-' in told


def test_no_name_is_left_and_no_free_text(records: Path, tmp_path: Path) -> None:
    """Of players and of arbiters; of what was said, why a ruling was made, and the seats' seeds."""
    told = told_texts(write_dataset(tmp_path / "dataset", RecordFolder(records), Names(KEY)))

    assert not [name for name in (*PEOPLE, "Ada") if f'"{name}"' in told or f"\n{name}\n" in told]
    assert not [sentence for sentence in SENTENCES if sentence in told]
    assert "The service has refused a move" not in told
    assert '"seed":"seed-' not in told


def test_a_person_keeps_one_pseudonym(records: Path, played: tuple[PlayedGame, ...], tmp_path: Path) -> None:
    """So that who sat with whom can still be asked."""
    rows = rows_of(write_dataset(tmp_path / "dataset", RecordFolder(records), Names(KEY)), "seats")
    names = {(row["game"], row["seat"]): row["name"] for row in rows}

    for game in played:
        for number, seat in enumerate(game.end.seats):
            assert names[game.game, number] == pseudonym(KEY, seat.name)


def test_a_seat_names_its_player_or_the_pseudonym_of_its_id(tmp_path: Path) -> None:
    """By which one finds who played across games; empty where a seat named none."""
    write(tmp_path / "records" / "players.ndjson", game_of_players().record())
    write(tmp_path / "records" / "nobody.ndjson", recorded_game(1, most_offers=5).record())

    for number, names in enumerate((Names(), Names(KEY))):
        told = write_dataset(tmp_path / f"dataset-{number}", RecordFolder(tmp_path / "records"), names)
        found = {(row["game"], row["seat"]): row["player"] for row in rows_of(told, "seats")}
        known = [names.player(player) for player in PLAYERS[:2]]
        assert [found.pop(("players", seat)) for seat in range(2)] == known
        assert set(found.values()) == {""}
        assert len(found) > 1
