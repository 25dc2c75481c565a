"""What docs/pages.md says of the pages is so: their addresses, what stands on them, their keys."""

import re
from pathlib import Path
from typing import Final

from replay.commentary.messages import load_messages
from service.http.pages.assets import assets
from service.http.pages.shells import COMPARE, DESK, GAME, LOBBY, RATINGS, TOURNAMENTS, words_of
from tests.service.in_process import InProcess

TEXT: Final = (Path(__file__).parents[3] / "docs" / "pages.md").read_text("utf-8")
BROWSER: Final = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
ROW: Final = re.compile(r"^\| (`[^|]+`) \|", re.MULTILINE)


def test_each_address_is_a_page(api: InProcess) -> None:
    """For whoever comes with a browser."""
    addresses = [row.strip("`") for row in ROW.findall(TEXT.partition("## If you play")[0])]
    assert {"/", "/desk", "/compare", "/games/{id}"} <= {*addresses}
    for address in addresses:
        answer = api.call("GET", address.replace("{id}", "any"), headers=BROWSER)
        assert answer.status == 200, address
        assert answer.headers["content-type"].startswith("text/html"), address


def test_what_it_names_stands_on_a_page() -> None:
    """Each button, panel and sign, as an English page says it, or begins to."""
    said: list[str] = [
        text
        for page in (LOBBY, GAME, COMPARE, DESK, TOURNAMENTS, RATINGS)
        for text in words_of(page, "en").values()
    ]
    said += [text for texts in load_messages("en").texts.values() for text in texts]
    named = {each.replace("\n", " ") for each in re.findall(r"(?<!\*)\*([^*]+)\*(?!\*)", TEXT)} - {
        "Fieldbook"
    }
    assert len(named) > 25
    assert {each for each in named if not any(each in text for text in said)} == set()


def test_each_key_does_something() -> None:
    """It is one of those that the page knows."""
    code = assets()["table/keys.js"][0].read_text("utf-8")
    block = re.search(r"export const KEYS = \{(.*?)\};", code, re.DOTALL)
    assert block is not None
    known = {quoted or plain for quoted, plain in re.findall(r'(?:"([^"]+)"|(\w+)): "', block[1])}
    table = TEXT.partition("## Keys")[2].partition("##")[0]
    named = {each for row in ROW.findall(table) for each in re.findall(r"`([^`]+)`", row)}
    assert len(named) > 10
    assert named <= known
