"""The reference in docs/dataset.md is made from the columns, and every column says what it means."""

from pathlib import Path

from replay.dataset.documentation import BEGIN, END, reference
from replay.dataset.format import FORMAT, TABLES

PAGE = Path(__file__).parents[3] / "docs" / "dataset.md"


def test_the_page_holds_the_reference_of_the_tables() -> None:
    """As `fieldbook dataset --columns` prints it."""
    page = PAGE.read_text(encoding="utf-8")

    assert page.partition(BEGIN)[2].partition(END)[0].strip() == reference().strip()
    assert f"format {FORMAT}" in page


def test_every_column_has_a_meaning_and_every_table_its_games() -> None:
    """Sentences, and in each table the three columns by which tables are joined and files are laid out."""
    for table in TABLES:
        assert table.about.endswith(".")
        assert [column.name for column in table.columns][:3] == ["game", "system", "month"]
        for column in table.columns:
            assert column.meaning[0].isupper() or column.meaning[0] == "`"
            assert column.meaning.endswith(".")
            assert "|" not in column.meaning
