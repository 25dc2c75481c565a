"""Results of `screen` and `stats` as people read them. Source: issue 43, medium."""

from pathlib import Path

from tests.support.commands import fieldbook, replay

GAMES = 30


def simulate(out: Path, *options: str) -> Path:
    """Let bots play; the records are in the folder."""
    ended = fieldbook("simulate", *options, "--bots", "random", "--out", out)
    assert ended.returncode == 0, ended.stderr
    return out


def test_a_screen_counts_what_it_leaves_out_by_reason(tmp_path: Path) -> None:
    """Games that can never be compared are a count; only a record in question is named."""
    folder = simulate(tmp_path / "games", "--system", "bean-duel", "--players", "2", "--games", str(GAMES))
    (folder / "damaged.ndjson").write_text("{}\n", encoding="utf-8")

    ended = replay("screen", folder, "--workers", "1")

    assert ended.returncode == 1, ended.stderr
    assert f"{GAMES} no_third_seat" in ended.stdout
    assert ended.stdout.count("no_third_seat") == 1
    assert "damaged.ndjson" in ended.stdout
    assert len(ended.stdout.splitlines()) < 10


def test_the_headings_of_statistics_are_distinct(tmp_path: Path) -> None:
    """Seven long names that begin alike get the numbers of their seats; three have room for the whole name."""
    many = simulate(
        tmp_path / "many", "--system", "extended", "--players", "7", "--games", "1", "--pool", "40"
    )
    few = simulate(tmp_path / "few", "--system", "classic", "--players", "3", "--games", "1", "--pool", "40")

    wide = replay("stats", next(many.iterdir())).stdout.splitlines()[2].split()
    narrow = replay("stats", next(few.iterdir())).stdout.splitlines()[2]

    assert [heading[:2] for heading in wide] == [f"{seat}:" for seat in range(7)]
    assert narrow.count("player ") == 3
    assert "…" not in narrow
