"""The four catalogues hold the same messages with the same variables, all used, for every event and viewer."""

import re
import string
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from babel import Locale

from events import domain_events as e
from events.domain_events import UNKNOWN_CARD
from events.log.disclosure import ALL, PUBLIC
from events.rules.catalogues.card_names import card_names
from events.rules.catalogues.catalogue import SHIPPED, parse_catalogue, shipped_catalogue
from events.rules.table.state import GameState, Seat
from replay.commentary import LANGUAGES, Commentary
from replay.commentary.cells import cells
from replay.commentary.messages import detect_language, load_messages
from replay.terminal.table_text import table_lines
from replay.timeline.timeline import read_timeline
from tests.replay.commentary.told import GOLDEN, LOGS, WHOLE, NotingMessages, golden_log, record_of, steps
from tests.support.depth import depth

TIMES = "\N{MULTIPLICATION SIGN}"
OF_A_LANGUAGE = {"time", "card"}
"""Contexts whose keys are a language's own: its categories of ordinals, its names of cards."""
RARE = {
    ("event", "cards_drawn.none"),
    ("event", "cards_revealed.none"),
    ("event", "coins_levied.none"),
    ("event", "coins_levied.none.sparing"),
    ("event", "coins_levied.sparing"),
    ("event", "dealer_called.shuffle.owed"),
    ("event", "take_back_asked"),
    ("event", "time_credited"),
    ("event", "time_expired.take_back"),
    ("part", "from_field"),
    ("part", "nothing"),
    ("part", "hidden_card"),
    ("part", "unknown_bonus"),
    ("count", "other"),
    ("pile", "other"),
    ("pile as subject", "other"),
    ("player", "seat"),
    ("player", "same_name"),
    ("player", "word"),
    ("dispute", "mistake"),
    ("dispute", "other"),
}
"""What no recorded game says; the examples of test_commentary.py and the tests below do."""


def variables(text: str) -> set[str]:
    """The variables that a message names."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_catalogue_has_exactly_the_messages_of_the_english_one(language: str) -> None:
    """The same contexts and keys, each with the same variables, a plural where the other has one, and a text."""
    own, english = load_messages(language).texts, load_messages("en").texts

    assert {key for key in own if key[0] not in OF_A_LANGUAGE} == {
        key for key in english if key[0] not in OF_A_LANGUAGE
    }
    for key, texts in own.items():
        assert all(texts), key
        if key[0] not in OF_A_LANGUAGE:
            assert len(texts) == len(english[key]), key
            assert variables("".join(texts)) | {"count"} == variables("".join(english[key])) | {"count"}, key


def test_no_sentence_bends_its_verb_to_the_name() -> None:
    """Somebody may be called You: an English sentence has what is the same for You and for Ann behind a name."""
    name = re.compile(
        r"(?<!of )\{(?:player|giver|winners|arbiter|partner|owner|name|who|other|waiting)\} (\w+)"
    )
    texts = [text for texts in load_messages("en").texts.values() for text in texts]
    behind = {word for text in texts for word in name.findall(text)}

    assert {"took", "planted", "will"} <= behind
    bent = {word for word in behind if word.endswith("s") or word in {"do", "have", "are", "were"}}
    assert bent == set()


@pytest.mark.parametrize(
    ("language", "name", "told"),
    [
        ("en", "You", "You drew nothing."),
        ("en", "The Dealer", "“The Dealer” drew nothing."),
        ("de", "You", "You zog nichts."),
        ("de", "Du", "„Du“ zog nichts."),
        ("fr", "Personne", "«\u00a0Personne\u00a0» n\u2019a rien pioché."),
        ("it", "Tutti", "«Tutti» non ha pescato nulla."),
    ],
)
def test_a_name_that_is_a_word_of_a_sentence_is_quoted(language: str, name: str, told: str) -> None:
    """A pronoun, or what stands for all, nobody and the dealer: so everybody sees that somebody is called so."""
    tell = Commentary(shipped_catalogue("bohnanza-104"), language)
    table = GameState(seats=(Seat(name=name, kind="human"),))

    assert tell.sentence(table, e.CardsDrawn(0, ())) == told


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_catalogue_says_every_ordinal_and_no_other(language: str) -> None:
    """The ordinals are the categories that Unicode gives the language."""
    categories = {Locale.parse(language).ordinal_form(number) for number in range(1000)}

    assert {key for context, key in load_messages(language).texts if context == "time"} == categories


@pytest.mark.parametrize("language", ["de", "fr", "it"])
def test_every_shipped_card_has_its_article_and_plural(language: str) -> None:
    """No card of a shipped deck is told with a bare number, and no form in the catalogues is of a card unknown."""
    messages, used = NotingMessages(language), set()
    for name in SHIPPED:
        catalogue = shipped_catalogue(name)
        tell = Commentary(catalogue, language, messages)
        for bean in catalogue.beans:
            for card in (bean.card, bean.variety):
                assert TIMES not in tell.names.count(2, card) + tell.names.one(card), card
        used |= {key for context, key in messages.noted if context == "card"}

    assert used == {key for context, key in messages.texts if context == "card"}


def test_an_owners_card_goes_by_its_name_or_key() -> None:
    """A card without a name in the language stands with its number; in English it gets article and plural."""
    content = (Path("events/rules/catalogues/bohnanza-104.toml")).read_text(encoding="utf-8")
    content = content.replace('de = "Blaue Bohne"', 'de = "Kidneybohne"').replace(
        'it = "fagiolo blu"', 'sv = "x"'
    )
    content = content.replace('en = "soy bean"', 'en = "okra baby"')
    catalogue = parse_catalogue(content.encode(), "own.toml")

    def two(language: str, card: str) -> str:
        return Commentary(catalogue, language).names.count(2, card)

    assert two("de", "blue") == f"2 {TIMES} Kidneybohne"
    assert two("it", "blue") == f"2 {TIMES} blue bean"
    assert two("en", "soy") == "2 okra babies"
    assert two("fr", "none_such") == f"2 {TIMES} none_such"


def test_every_event_type_is_told_by_a_message_of_its_name() -> None:
    """Each event type has messages whose keys begin with its own type."""
    keys = {key.partition(".")[0] for context, key in load_messages("en").texts if context == "event"}
    types = {msgspec.json.decode(msgspec.json.encode(_empty(each)))["type"] for each in get_args(e.AnyEvent)}

    assert keys - {"at_the_end"} == types


def _empty(event: type[e.DomainEvent]) -> e.DomainEvent:
    """An event of this type without anything in it, which only its type is taken from."""
    names = event.__struct_fields__
    return event(**dict.fromkeys(names))


@pytest.mark.deep
@pytest.mark.parametrize("path", depth(WHOLE[::7], WHOLE), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_recorded_game_is_told_to_everybody_in_every_language(path: Path) -> None:
    """Each event is a sentence for each viewer: nothing unresolved in it, and no card that the viewer may not see."""
    header, _ = record_of(path)
    tellers = [Commentary(header.catalogue, language) for language in LANGUAGES]
    names = [
        {card: names.get(tell.messages.language, "") for card, names in card_names(header.catalogue).items()}
        for tell in tellers
    ]
    for viewer in (ALL, PUBLIC, 1):
        for state, event in steps(path, viewer):
            for tell, named in zip(tellers, names, strict=True):
                sentence = tell.sentence(state, event)
                assert sentence.endswith((".", "”", "“", "»"))
                if not isinstance(event, e.Talked):
                    assert not set("{}?_") & set(sentence), sentence
                    assert not re.search(r"\bNone\b|  |\(\)", sentence), sentence
                if UNKNOWN_CARD in getattr(event, "cards", ()):
                    shown = set(event.cards)
                    assert not [
                        name for card, name in named.items() if card not in shown and name in sentence
                    ]


def test_no_message_is_there_for_nothing() -> None:
    """Every message is used by a recorded game, its tables, figures or report, except the few that are listed."""
    used: set[tuple[str, str]] = set()
    for path in WHOLE:
        messages = NotingMessages("en")
        tell = Commentary(record_of(path)[0].catalogue, "en", messages)
        for state, event in steps(path):
            tell.sentence(state, event)
        used |= messages.noted
    of_the_table = {"label", "table", "provenance", "statistics", "report", "step", "page", "glyph"}
    of_commands = {"command"}  # test_commands.py sees to them
    of_pages = {
        "lobby",
        "playing",
        "reviewing",
        "desk",
        "effect",
        "refusal",
        "check",
        "sheet",
        "frame",
        "tournaments",
        "ratings",
        "how",
    }  # tests/service/pages/ sees to them
    texts = load_messages("en").texts

    assert {
        key for key in texts if key[0] not in OF_A_LANGUAGE | of_the_table | of_commands | of_pages
    } - used <= RARE | {
        ("count", "hidden_cards"),
        ("count", "hidden_bonus_cards"),
        ("count", "gone_cards"),
        ("count", "turns"),
        ("player", "bot"),
        ("player", "away"),
        ("player", "program"),
        ("player", "dealer"),
        ("player", "everybody"),
        ("phase", "beginning"),
    }
    source = "".join(path.read_text() for path in Path("replay").rglob("*.py"))
    named = {key for context, key in texts if f'"{key}"' in source or f"'{key}'" in source}
    kinds = {("provenance", kind) for kind in ("booklet", "card", "house")}
    assert {key for key in texts if key[0] in of_the_table and key[1] not in named} <= kinds


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_recorded_games_are_told_as_they_were_read(language: str) -> None:
    """The first sentence of every kind is the one in the golden log, which a reader of the language has read."""
    assert golden_log(language) == (GOLDEN / f"{language}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_fits_into_80_columns_in_every_language(language: str) -> None:
    """Labels keep their column, and no line is wider than the screen."""
    for context, labels in load_messages(language).texts.items():
        if context[0] == "label":
            assert cells(labels[0].format(number=0)) <= 14, labels
        if (
            context[0] == "statistics"
            and not variables(labels[0])
            and context[1] not in {"by_variety", "over_time"}
        ):
            assert cells(labels[0]) <= 23, labels
    for name in ("the-duel/two-players.ndjson.gz", "ladybohn-expansion/five-players.ndjson.gz"):
        header, forms = record_of(LOGS / name)
        timeline = read_timeline(header, forms, ALL)
        for version in range(20, timeline.last, 60):
            for line in table_lines(timeline, timeline.at(version), language):
                text = "".join(piece for piece, _ in line)
                assert cells(text) <= 80
                assert not set("{}") & set(text)


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({"LANG": "fr_CH.UTF-8"}, "fr"),
        ({"LANG": "de_DE", "LC_ALL": "C.UTF-8"}, "en"),
        ({"LANG": "de_DE", "LC_MESSAGES": "it"}, "it"),
        ({"LANG": "", "LC_ALL": ""}, "en"),
        ({"LANG": "ja_JP.UTF-8"}, "en"),
    ],
)
def test_the_language_is_that_of_the_environment(environment: dict[str, str], language: str) -> None:
    """LC_ALL goes before LC_MESSAGES, that before LANG; without sentences in it, it is English."""
    assert detect_language(environment) == language


def test_two_players_of_one_name_are_told_apart_in_every_language() -> None:
    """The seat is said where two have the same name, or none."""
    table = GameState(seats=(Seat(name="Ann"), Seat(name="Ann"), Seat()))

    def told(language: str) -> list[Any]:
        tell = Commentary(shipped_catalogue("bohnanza-104"), language)
        return [tell.player(table, seat) for seat in range(3)]

    assert told("de") == ["Ann (Platz 0)", "Ann (Platz 1)", "Platz 2"]
    assert told("fr") == ["Ann (place 0)", "Ann (place 1)", "place 2"]
    assert told("it") == ["Ann (posto 0)", "Ann (posto 1)", "posto 2"]
