"""What the pages load comes from here, as modules that find one another, under an address that may be kept."""

import re

import pytest

from service.http.pages.assets import address_of, assets, digest
from service.http.pages.shells import COMPARE, DESK, GAME, LOBBY, POLICY, RATINGS, TOURNAMENTS, modules_of
from tests.service.in_process import InProcess

PAGES = {"/games/any": GAME, "/desk": DESK, "/compare": COMPARE, "/": LOBBY}
PAGES |= {"/tournaments": TOURNAMENTS, "/tournaments/any": TOURNAMENTS, "/ratings": RATINGS}
BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
IMPORT = re.compile(r'^(?:import|export) [^"]*from "([^"]+)";$', re.MULTILINE)


def test_every_module_finds_what_it_imports() -> None:
    """By a relative address, so that all of a page's modules are of one release."""
    for name, (file, kind) in assets().items():
        if not kind.startswith("text/javascript"):
            continue
        folder = name.split("/")[0]
        for imported in IMPORT.findall(file.read_text("utf-8")):
            assert imported.startswith(("./", "../")), (name, imported)
            wanted = (
                imported.removeprefix("../") if imported.startswith("../") else f"{folder}/{imported[2:]}"
            )
            assert wanted in assets(), (name, imported)


@pytest.mark.parametrize("address", PAGES)
def test_a_page_asks_for_all_its_modules_at_once(api: InProcess, address: str) -> None:
    """Its shell names each module and each style; all of them are served, and may be kept for ever."""
    answer = api.call("GET", address, headers=BROWSER)
    shell = answer.body.decode()
    named = re.findall(r'(?:href|src)="(/assets/[^"]+)"', shell)
    assert {address_of(name) for name in modules_of(f"{PAGES[address].name}/start.js")} <= set(named)
    for each in named:
        served = api.call("GET", each)
        assert served.status == 200, each
        assert "immutable" in served.headers["cache-control"]


@pytest.mark.parametrize("address", PAGES)
def test_a_page_runs_nothing_but_its_modules(api: InProcess, address: str) -> None:
    """No script and no style stands in it, nothing comes from elsewhere, and its policy says so."""
    answer = api.call("GET", f"{address}?lang=fr", headers=BROWSER)
    shell = answer.body.decode()
    assert answer.headers["content-security-policy"].startswith(POLICY.partition("frame-ancestors")[0])
    assert not re.search(r"<style|\sstyle=|\son\w+=|://", shell)
    assert re.findall(r"<script(?![^>]*application/json)[^>]*>([^<]*)<", shell) == [""]
    assert '<html lang="fr">' in shell


@pytest.mark.parametrize(("header", "language"), [("it-CH,it;q=0.9", "it"), ("ja", "en"), ("de-AT", "de")])
def test_a_page_is_in_the_language_of_the_browser(api: InProcess, header: str, language: str) -> None:
    """As far as there are words in it."""
    answer = api.call("GET", "/games/any", headers={"Accept-Language": header})
    assert f'<html lang="{language}">' in answer.body.decode()
    assert "Accept-Language" in answer.headers["vary"]


def test_files_of_another_release_are_not_mixed_in(api: InProcess) -> None:
    """Nor is anything served that no page loads."""
    there = f"/assets/{digest()}"
    for address in (
        "/assets/0123456789abcdef/game/start.js",
        f"{there}/game/none.js",
        f"{there}/../app.py",
    ):
        answer = api.call("GET", address)
        assert (answer.status, answer.json["code"]) == (404, "not_found")
