"""What the page of a game says while one plays: each of its words is there, and none is there for nothing."""

import re
from importlib import resources
from itertools import product
from typing import Final

from events.rules.errors import RuleViolation
from events.rules.systems.registry import ALL, BY_KEY
from replay.commentary import LANGUAGES
from replay.commentary.messages import load_messages
from service.http import pages
from service.http.pages.assets import assets
from service.http.pages.shells import GAME, LOBBY, modules_of, words_of

SAID: Final = re.compile(r'"([a-z]+(?:_[a-z0-9]+)*)"')
"""Any word in quotes: a message is named as a whole wherever it is named."""
ASKED_FOR: Final = re.compile(r'\bsay\("([a-z_0-9]+)"')
BUILT: Final = re.compile(r"`([a-z]+_)\$\{")
"""The beginnings of messages whose end is a phase, a status or a reason."""


ENDED: Final = re.compile(r"\$\{[^}]+\}(_[a-z]+)`")
"""The ends of messages that begin with a status."""
CHECKED: Final = re.compile(r'"([a-z]+)", (?:["`][^"`]* |reason\)|why\)|at\))|\bcheck(?: =|:) "([a-z]+)"')
"""A check where something is demanded for it: its name stands before the reason."""
PLACED: Final = re.compile(r"\$([a-z_]+)")
OF_NO_SEAT: Final = {
    *("bad_clock", "bad_closing", "bad_credit", "bad_dealing", "bad_name", "bad_option", "bad_ruling"),
    *("game_not_paused", "game_started_already", "not_a_permutation", "nothing_due", "nothing_expired"),
    *(
        "paused_already",
        "rules_mismatch",
        "seat_occupied",
        "seed_not_taken",
        "unknown_option",
        "unknown_system",
    ),
    *("wrong_catalogue", "wrong_players", "wrong_secret"),
}
"""What the rules refuse whoever sets a table up, the dealer, the clock and arbiters, and never a seat."""


def script() -> str:
    """All modules of the page."""
    return "\n".join(assets()[name][0].read_text("utf-8") for name in modules_of("game/start.js"))


def test_each_word_that_is_said_is_there() -> None:
    """With or without a plural."""
    words = {key.removesuffix(".one").removesuffix(".other") for key in words_of(GAME, "en")}
    asked = set(ASKED_FOR.findall(script()))
    assert len(asked) > 80
    assert asked - words == set()


def test_no_message_of_playing_is_there_for_nothing() -> None:
    """Each is named by a module or by the markup, or is one of those whose names are put together."""
    code = script()
    markup = (resources.files(pages) / "markup" / "game.html").read_text("utf-8")
    named = {*SAID.findall(code), *PLACED.findall(markup)}
    begun, ended = tuple(BUILT.findall(code)), tuple(ENDED.findall(code))
    messages = [key for context, key in load_messages("en").texts if context == "playing"]
    assert [
        key for key in messages if key not in named and not key.startswith(begun) and not key.endswith(ended)
    ] == []


def test_each_phase_of_each_system_says_what_there_is_to_do() -> None:
    """To whoever has never played: a sentence for every phase, in every language."""
    phases = {phase.name for system in ALL for phase in system.phases}
    for language in LANGUAGES:
        hints = {key.removeprefix("hint_") for key in words_of(GAME, language) if key.startswith("hint_")}
        assert phases - hints == set()


def test_whatever_the_verifier_finds_is_said_in_every_language() -> None:
    """By a clause for each of its checks, which the page of a game and the first page say; and for no other."""
    code = assets()["second_verifier/verifier.mjs"][0].read_text("utf-8")
    code += assets()["client/checked_game.js"][0].read_text("utf-8")
    checks = {one or other for one, other in CHECKED.findall(code)}
    assert len(checks) > 12
    for page, language in product((GAME, LOBBY), LANGUAGES):
        words = words_of(page, language)
        assert {key.removeprefix("check.") for key in words if key.startswith("check.")} == checks


def refused_by_rules(kind: type[RuleViolation] = RuleViolation) -> set[str]:
    """The codes of all that the rules of our systems refuse."""
    return {
        code
        for each in kind.__subclasses__()
        if each.__module__.startswith("events.")
        for code in {each.code, *refused_by_rules(each)}
    }


def test_whatever_the_rules_refuse_a_player_is_said_in_every_language() -> None:
    """By a sentence for the code; only somebody who reads English reads the service's own."""
    codes = refused_by_rules()
    assert codes > OF_NO_SEAT
    for language in LANGUAGES:
        said = {
            key.removeprefix("refusal.") for key in words_of(GAME, language) if key.startswith("refusal.")
        }
        assert codes - OF_NO_SEAT - said == set()


def test_each_system_says_how_it_goes_and_no_sentence_is_there_for_nothing() -> None:
    """Somebody new to a game finds its rules in a few sentences."""
    code = assets()["common/rules.js"][0].read_text("utf-8")
    listed = dict(re.findall(r'^  "([a-z-]+)": \[(.*)\],$', code, re.MULTILINE))
    sentences = {name: re.findall(r'"([a-z_]+)"', listed[name]) for name in listed}
    there = {key for context, key in load_messages("en").texts if context == "how"}

    assert set(sentences) == set(BY_KEY)
    assert {each for found in sentences.values() for each in found} == there - {"summary"}
