"""Every command that a seat may send has a text in every language: golden ones, and examples of the rest."""

import re

import pytest
from msgspec.structs import replace

from events import commands as c
from events.log.codec import SEAT_COMMAND_TYPES
from events.rules.definition.forms import AskTakeBackForm, OfferForm
from events.rules.table.state import EndOffer, GameState, Seat, TakeBack
from replay.commentary import LANGUAGES, Commentary
from replay.commentary.commands import Chooser, describe_command
from replay.commentary.messages import load_messages
from tests.replay.commentary.choosing import GOLDEN, choices, golden_texts
from tests.replay.whole_games import ONE_OF_EACH, timeline_of

EXPANSION = ONE_OF_EACH[5]
MAKE_UP = ("make_up_female",) * 5
ASKED = TakeBack(0, 41)
OFFERED = EndOffer(0, "drawn")
TABLE = GameState(
    seats=(
        Seat(name="Ann", kind="human", fields=((), MAKE_UP), hand=((1, "blue_male"),)),
        Seat(name="Ben", kind="human"),
        Seat(name="Cleo", kind="human"),
    ),
    take_back=ASKED,
    end_offer=OFFERED,
)
EXAMPLES = (
    (0, c.AskTakeBack(41), "Ask to go back to version 41"),
    (0, AskTakeBackForm((41, 40)), "Ask to take something back"),
    (1, c.AgreeTakeBack(), "Agree to go back to version 41"),
    (1, c.DeclineTakeBack(), "Decline to go back"),
    (0, c.DeclineTakeBack(), "Withdraw the request to go back"),
    (0, c.ComeBack(), "Come back into the game"),
    (0, c.OfferEnd("drawn"), "Offer to end the game here as a draw"),
    (0, c.OfferEnd("called_off"), "Offer to call the game off"),
    (1, c.AcceptEnd(), "Agree to end the game here as a draw"),
    (1, c.DeclineEnd(), "Decline to end the game"),
    (0, c.DeclineEnd(), "Withdraw the offer to end the game"),
    (0, c.Levy(), "Levy no coin"),
    (0, c.Levy((2,)), "Levy a coin from Cleo"),
    (0, c.Levy((2, 1)), "Levy a coin each from Cleo and Ben, in this order"),
    (0, c.Harvest(1, None, "coin"), "Harvest field 1: 5 make-up beans for a coin and a levy"),
    (0, c.Harvest(1, None, "field"), "Harvest field 1: 5 make-up beans for a third field"),
    (0, c.Offer(hand=(1,)), "Make an offer"),
    (0, OfferForm((None,), (1,), (), {"blue": 3}, ()), "Make an offer"),
    (0, c.Say("I have a blue bean"), "Say something"),
)
"""What the golden games do not offer: who may send it, the command, and its text in English."""


def chooser(seat: int, state: GameState = TABLE, language: str = "en") -> Chooser:
    """A seat of this table, in `ladybohn-expansion`."""
    timeline = timeline_of(EXPANSION)
    rules = timeline.rules
    assert rules is not None
    return Chooser(Commentary(timeline.header.catalogue, language), rules, state, seat)


@pytest.mark.parametrize(("seat", "command", "text"), EXAMPLES, ids=lambda each: str(each)[:40])
def test_what_a_command_says(seat: int, command: c.Command, text: str) -> None:
    """Everything that it does, from the seat's own point of view."""
    assert describe_command(chooser(seat), command) == text


def test_agreeing_says_what_was_offered() -> None:
    """A draw is another end than calling the game off."""
    called_off = replace(TABLE, end_offer=EndOffer(0, "called_off"))

    assert describe_command(chooser(1, called_off), c.AcceptEnd()) == "Agree to call the game off"


def test_every_command_type_has_a_text_of_its_name() -> None:
    """Of every rule system; what no seat may send has none. All languages have the same messages."""
    keys = {key.partition(".")[0] for context, key in load_messages("en").texts if context == "command"}

    assert keys == SEAT_COMMAND_TYPES.keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_commands_of_recorded_games_are_told_as_they_were_read(language: str) -> None:
    """The first text of every message is the one in the golden file, which a reader of the language has read."""
    assert golden_texts(language)[0] == (GOLDEN / f"commands.{language}.txt").read_text(encoding="utf-8")


def test_no_text_of_a_command_is_there_for_nothing() -> None:
    """Every message is used in the golden games or in an example."""
    _, used = golden_texts("en")
    texts = {text for _, _, text in EXAMPLES}
    said = {key for context, key in load_messages("en").texts if context == "command"} - used
    patterns = [
        re.sub(r"\\{\w+\\}", ".+", re.escape(load_messages("en").texts["command", key][0])) for key in said
    ]

    assert said
    assert [each for each in patterns if not any(re.fullmatch(each, text) for text in texts)] == [
        "Agree\\ to\\ call\\ the\\ game\\ off"
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_legal_command_is_a_label(language: str) -> None:
    """It begins with a capital letter and ends without a full stop; nothing in it is unresolved or hidden."""
    for path in ONE_OF_EACH:
        tell = Commentary(timeline_of(path).header.catalogue, language)
        for rules, state, seat, command in choices(path)[::5]:
            text = describe_command(Chooser(tell, rules, state, seat), command)
            assert text[0].isupper(), text
            assert not text.endswith((".", " ")), text
            assert not set("{}?_\n") & set(text), text
            assert not re.search(r"\bNone\b|  |\(\)", text), text
