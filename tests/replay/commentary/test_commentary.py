"""Every event becomes a sentence, and nothing of a record reaches the screen that a terminal would obey."""

import json
from typing import get_args

import msgspec
import pytest

from events import domain_events as e
from events.rules.catalogues.catalogue import shipped_catalogue
from events.rules.table.state import GameState, Result, Seat
from replay.commentary import LANGUAGES, Commentary
from replay.platform.safe_text import safe, safe_json

TELL = Commentary(shipped_catalogue("bohnanza-104"), "en")
TABLE = GameState(
    seats=(
        Seat(name="Ann", kind="human"),
        Seat(name="Ben", kind="bot", bot="greedy"),
        Seat(name="Cleo", kind="human"),
    ),
    revealed=((1, "soy"), (2, "blue")),
)
ARABIC = "\u2068\u0646\u2069"
"""A name written from the right, isolated from what stands beside it."""
LONG = f"What it covers: “s”. Why: “{'r' * 599}…”"
EXAMPLES: tuple[tuple[e.DomainEvent, str], ...] = (
    (
        e.GameCreated("g", "classic", 1, 1, 3, {}, "", ""),
        "A table for classic with 3 seats was set up; the dealer committed itself to a secret.",
    ),
    (e.SeatTaken(0, "Ann", "human", seed="7"), "Ann took seat 0, with a seed for the shuffles."),
    (e.SeatTaken(1, "Ben", "bot", "greedy"), "The bot Ben (greedy) took seat 1."),
    (e.GameStarted(2), "Every seat is taken: the game began, with 2 fields each."),
    (e.DealerCalled("starting_seat"), "The dealer has to draw the starting player."),
    (
        e.DealerCalled("shuffle", "draw", "draw", 1, 2),
        "The dealer has to shuffle the draw pile; still owed to Ben: 2 more cards.",
    ),
    (e.DealerCalled("secret"), "The dealer has to open its secret."),
    (e.StartingSeatChosen(2), "The dealer drew the starting player: Cleo."),
    (e.PileShuffled("draw", 2, ("?",) * 40), "The dealer shuffled the draw pile for the 2nd time: 40 cards."),
    (
        e.HandDealt(0, ("blue", "blue", "soy", "blue")),
        "The dealer dealt Ann 2 blue beans, a soy bean and a blue bean.",
    ),
    (e.HandDealt(0, ("?",) * 5), "The dealer dealt Ann 5 hidden cards."),
    (e.TurnBegan(1, 7), "Turn 7 began: it is the turn of Ben."),
    (e.PhaseBegan("trade"), "The turn went on to trading."),
    (e.PhaseBegan("swap"), "The turn went on to swap."),
    (e.BeanPlanted(0, 1, "black_eyed"), "Ann planted a black-eyed bean on field 1."),
    (e.CardsRevealed(0, ("soy", "red")), "Ann revealed a soy bean and a red bean."),
    (e.CardsRevealed(0, ()), "Ann revealed nothing."),
    (e.PileExhausted("draw", 3), "The draw pile ran out for the 3rd time."),
    (
        e.OfferMade(4, 0, None, (3, 5), ("blue", "blue"), (1,), {"red": 2}),
        "Offer 4: Ann offered everybody 2 blue beans and the revealed soy bean for 2 red beans.",
    ),
    (
        e.OfferMade(5, 1, 0, want_revealed=(2,), counters=4),
        "Offer 5, countering offer 4: Ben asked Ann for the revealed blue bean, giving nothing.",
    ),
    (e.OfferDeclined(5, 0, closed=True), "Ann declined offer 5, which is closed now."),
    (e.OfferDeclined(5, 0, closed=False), "Ann declined offer 5."),
    (e.OfferWithdrawn(5, 1), "Ben withdrew offer 5."),
    (e.OfferLapsed(6), "Offer 6 lapsed."),
    (e.TimeExpired(0, 9, 4), "Ann did not answer offer 4 in time."),
    (e.TimeExpired(1, 9, strikes=1), "Ben ran out of time: the clock made the move (in one turn so far)."),
    (e.TimeExpired(1, 9, strikes=3), "Ben ran out of time: the clock made the move (in 3 turns so far)."),
    (e.TimeExpired(2, 9), "Cleo ran out of time while the request to go back was open."),
    (
        e.TimeCredited(1_000, 91_500, "outage"),
        "Time was given back to everybody after an outage: 1:30.",
    ),
    (
        e.TimeCredited(0, 7_205_000, "maintenance"),
        "Time was given back to everybody after maintenance: 2:00:05.",
    ),
    (e.TimeCredited(0, 5_000, "rain"), "Time was given back to everybody: 0:05."),
    (e.ReadinessDeclared(1), "Ben called “ready”: no new offers; open ones stand."),
    (e.ReadinessWithdrawn(1), "Ben took back the “ready”."),
    (e.TradeMade(4, 0, 1, ("blue",), ()), "Offer 4 was accepted: Ann gave Ben a blue bean for nothing."),
    (e.TradeMade(4, 0, 1, (), ("blue",)), "Offer 4 was accepted: Ben gave Ann a blue bean for nothing."),
    (
        e.TradeMade(4, 0, 1, ("soy",), ("blue",)),
        "Offer 4 was accepted: Ann gave Ben a soy bean for a blue bean.",
    ),
    (e.TradingEnded(0, ()), "Ann ended the trading."),
    (e.TradingEnded(0, ("soy",)), "Ann ended the trading, keeping a soy bean."),
    (e.AsidePlanted(1, 3, 0, "soy"), "Ben planted a soy bean that lay aside on field 0."),
    (e.FieldHarvested(1, 0, ("soy",) * 4, 2), "Ben harvested 4 soy beans from field 0 for 2 coins."),
    (
        e.FieldHarvested(1, 0, ("soy",), 0, final=True),
        "At the end Ben harvested a soy bean from field 0 for nothing.",
    ),
    (
        e.ThirdFieldBought(2, ("soy", "soy", "red")),
        "Cleo bought a third field for the coins 2 soy beans and a red bean.",
    ),
    (
        e.ThirdFieldBought(2, ("soy", "red", "red"), boxed=True),
        "Cleo bought a third field for the coins a soy bean and 2 red beans, which leave the game.",
    ),
    (
        e.DiscardsJoined(0, ("soy", "soy")),
        "From the top of the discard pile 2 soy beans join the revealed cards.",
    ),
    (e.RevealedPlanted(0, 2, 1, "blue"), "Ann planted a blue bean that lay open on field 1."),
    (e.RevealedDiscarded(1, 1, "soy"), "Ben discarded a soy bean that lay open."),
    (e.HandCardDiscarded(2, 0, "red"), "Cleo discarded a red bean from the hand."),
    (e.CoinsDealt(0, ("?", "?", "?")), "Ann got 3 hidden cards as first coins, unseen."),
    (e.BonusDrawn(0, ("?", "?")), "Ann drew 2 hidden bonus cards."),
    (e.BonusDrawn(0, ("c10_122", "?")), "Ann drew the bonus card c10_122 and a hidden bonus card."),
    (e.GiftOffered(0, "soy"), "Ann offered a soy bean as a gift."),
    (e.GiftAccepted(1, "soy"), "Ben accepted a soy bean."),
    (e.GiftGiven(0, 1, "soy", revealed=(2,)), "Ann gave Ben a soy bean from the revealed cards."),
    (e.GiftGiven(0, 1, "soy", hand=(2,)), "Ann gave Ben a soy bean from the hand."),
    (e.BluffPaid(0, 1), "It was a bluff: Ann gave Ben a coin, face down."),
    (e.BonusClaimed(0, "c10_122", 1, 2), "Ann claimed the bonus card c10_122 for field 2 of Ben."),
    (
        e.BonusClaimed(0, "c10_122", 1, 2, final=True),
        "At the end Ann claimed the bonus card c10_122 for field 2 of Ben.",
    ),
    (e.BonusDiscarded(1, "c10_122"), "Ben discarded the bonus card c10_122."),
    (e.BonusKept(1), "Ben discarded no bonus card."),
    (e.PhaseBegan("answer_gift"), "The turn went on to answering the gift on offer."),
    (
        e.FanLaidOut(0, ("blue", "blue", "soy")),
        "Fan 0 was laid out, from its top: 2 blue beans and a soy bean.",
    ),
    (
        e.HandSwapped(1, 1, ("soy", "red"), ("blue", "blue")),
        "Ben swapped a hand of a soy bean and a red bean for fan 1: 2 blue beans.",
    ),
    (e.RevealedPutOnFan(0, 2, 1, "blue"), "The revealed blue bean went on top of fan 1."),
    (
        e.FanOverflowed(0, 1, ("soy", "red")),
        "From the bottom of fan 1 the revealed cards were joined by a soy bean and a red bean.",
    ),
    (e.FieldRotated(0, 2, "soy"), "Ann moved a soy bean from the top of field 2 to its bottom."),
    (e.ThirdFieldWon(2), "Cleo got a third field for make-up beans."),
    (e.QuotaFieldTaken(2), "The third field of Cleo is the quota field."),
    (e.LevyEarned(0), "Ann earned a levy."),
    (e.LevyPromised(0, 1), "Ann promised to spare Ben with the next levy."),
    (
        e.CoinsLevied(0, (2, 1), ("red", "soy")),
        "Ann levied coins: a red bean of Cleo and a soy bean of Ben.",
    ),
    (e.CoinsLevied(0, spared=(1,), final=True), "At the end Ann levied no coin, sparing Ben as promised."),
    (
        e.OfferMade(4, 0, 1, hand=(1,), hand_cards=("blue",), spare=True, want_spared=True),
        "Offer 4: Ann offered Ben a blue bean and a promise to spare them for a promise to be spared.",
    ),
    (e.PhaseBegan("fans"), "The turn went on to choosing a fan."),
    (e.MissMoved(0, 1, 2, 2), "Ann moved a miss of field 1 2 places towards the top."),
    (e.MissMoveOpened(1, 0), "Ben got the chance to move a miss of field 0."),
    (e.MissMovesLapsed(1, 0), "Ben lost the chance to move a miss of field 0."),
    (e.FieldBarred(2, 1), "Field 1 of Cleo takes no second bean from the hand in this turn."),
    (
        e.FieldPaidFromPiles(0, 0, ("garden", "garden"), ("red",), ("?",), 1),
        (
            "Ann harvested 2 garden beans from field 0 for 3 coins (1 from the discard pile; 1 from the draw"
            " pile, unseen; 1 from the field)."
        ),
    ),
    (
        e.CoinsShown(0, (1, 2), ("red", "soy")),
        ("The coins of Ann that nobody had seen lie open: a red bean and a soy bean."),
    ),
    (e.PhaseBegan("offered"), "The turn went on to what was left on offer."),
    (e.CardsDrawn(2, ("?", "?", "?")), "Cleo drew 3 hidden cards."),
    (e.Talked(0, "Anyone [bold]for[/] wax?"), "Ann said: “Anyone [bold]for[/] wax?”"),
    (e.GamePaused(2, "mistake"), "Dispute 2 holds the game up; it is about a mistake."),
    (e.GamePaused(2, "other"), "Dispute 2 holds the game up; it is about something else."),
    (e.GamePaused(2, "{reason}\u202e"), "Dispute 2 holds the game up; it is about {reason}<202e>."),
    (e.GameResumed(2), "Dispute 2 holds the game up no longer."),
    (
        e.RulingMade(2, "rewound", "Ada\x1b[2J", "turn 7” {case}", "First.\n\nSecond."),
        (
            "Ada<1b>[2J ruled on dispute 2: the game goes back. What it covers: “turn 7” {case}”. "
            "Why: “First. Second.”"
        ),
    ),
    (e.RulingMade(2, "{kind}", "\u0646", "s", "r" * 2000), f"{ARABIC} ruled on dispute 2: {{kind}}. {LONG}"),
    (
        e.GameRewound(40, 2, 2, ("draw",)),
        "By the ruling on dispute 2 the game went back to version 40; what came after it counts no longer.",
    ),
    (
        e.GameRewound(40, 2),
        "All had agreed: the game went back to version 40; what came after it counts no longer.",
    ),
    (
        e.DealerCalled("shuffle", "bonus", "redeal"),
        "The dealer has to shuffle the bonus pile anew, with the cards that are left in it.",
    ),
    (e.TakeBackAsked(0, 40, (0, 1)), "Ann asked to go back to version 40."),
    (
        e.TakeBackAsked(0, 40, (0, 1), seen_confirmed=True),
        "Ann asked to go back to version 40, even if hidden cards have been seen since.",
    ),
    (e.TakeBackAgreed(2), "Cleo agreed to go back."),
    (e.SeatResigned(2), "Cleo left the game."),
    (e.SeatTakenOver(2, "greedy", "resigned"), "The bot greedy plays on for Cleo."),
    (e.SeatReturned(2), "Cleo came back."),
    (e.EndOffered(0, "drawn", (0,)), "Ann offered to end the game here as a draw."),
    (e.EndOffered(0, "called_off", (0,)), "Ann offered to call the game off."),
    (e.EndAccepted(2), "Cleo agreed to end the game."),
    (e.EndDeclined(2), "Cleo declined to end the game: it goes on."),
    (e.GameClosed("never_begun"), "The game was closed before it began."),
    (e.GameClosed("untouched"), "The game was closed: nobody had played for long."),
    (e.TakeBackDeclined(2), "Cleo declined to go back: the game goes on as it stands."),
    (
        e.GameEnded((1, 4, 4), (), "annulled"),
        (
            "The game ended, because a ruling annulled it: a coin for Ann, 4 coins for Ben and 4 coins for Cleo; "
            "nobody won."
        ),
    ),
    (
        e.GameEnded((1, 4, 4), (1, 2), "exhausted_while_drawing"),
        (
            "The game ended, because the draw pile ran out for the last time in phase 4: a coin for Ann, 4 coins"
            " for Ben and 4 coins for Cleo; Ben and Cleo share the victory."
        ),
    ),
    (e.SecretRevealed("ab" * 32), f"The dealer opened its secret: {'ab' * 32}."),
)


@pytest.mark.parametrize(
    ("event", "sentence"), EXAMPLES, ids=lambda value: value if isinstance(value, str) else ""
)
def test_an_event_reads_as_a_sentence(event: e.DomainEvent, sentence: str) -> None:
    """Each kind of event has its sentence."""
    assert TELL.sentence(TABLE, event) == sentence


def test_every_event_type_has_a_sentence() -> None:
    """These examples know every event type."""
    assert set(get_args(e.AnyEvent)) == {type(event) for event, _ in EXAMPLES}


def test_two_players_of_one_name_are_told_apart() -> None:
    """Where two have the same name the seat is said."""
    table = GameState(seats=(Seat(name="Ann"), Seat(name="Ann"), Seat()))

    assert [TELL.player(table, seat) for seat in range(3)] == ["Ann (seat 0)", "Ann (seat 1)", "seat 2"]


@pytest.mark.parametrize(
    "text",
    [
        "\x1b[2J", "\x1b]0;title\x07", "\x9b31m", "a\rb", "a\nb", "\u202eevil", "\u2066x\u2069", "\u200bx", "\x00",
        "\x7f", "\ue0001"[:0] + "\U000e0041", "\u2028", "\ufeff",
    ],
    ids=ascii,
)  # fmt: skip
def test_nothing_that_a_terminal_obeys_or_hides_gets_through(text: str) -> None:
    """Control characters, direction overrides and invisible letters are shown by their code point."""
    for language in LANGUAGES:
        tell = Commentary(shipped_catalogue("bohnanza-104"), language)
        for sentence in (
            tell.sentence(TABLE, e.Talked(0, text)),
            tell.sentence(GameState(seats=(Seat(name=text),)), e.TurnBegan(0, 1)),
            tell.sentence(TABLE, e.BeanPlanted(0, 0, text)),
            tell.sentence(TABLE, e.PhaseBegan(text)),
            tell.sentence(TABLE, e.PileExhausted(text, 1)),
            tell.sentence(TABLE, e.GameEnded((3,), (0,), "none", text)),
            tell.sentence(TABLE, e.BonusKept(0)) + tell.names.bonus(text),
            tell.sentence(TABLE, e.GameCreated("g", text, 1, 1, 3, {}, "", "")),
            tell.sentence(GameState(seats=TABLE.seats, result=Result((), (), "")), e.GameEnded((), (), text)),
        ):
            assert sentence.replace("\u00a0", " ").isprintable()
            assert "<" in sentence


def test_a_name_written_from_the_right_turns_nothing_around_it() -> None:
    """Such a name stands in an isolate that it cannot end by itself; every isolate is closed."""
    table = GameState(seats=(Seat(name="\u0646\u0648\u0631\u2069\u202e 12"), Seat(name="Ann")))
    for language in LANGUAGES:
        sentence = Commentary(shipped_catalogue("bohnanza-104"), language).sentence(table, e.TurnBegan(0, 3))

        assert "\u2068\u0646\u0648\u0631<2069><202e> 12\u2069" in sentence
        assert sentence.count("\u2068") == sentence.count("\u2069") == 1


def test_ordinary_letters_of_any_language_get_through() -> None:
    """Names stay as they are written."""
    for name in ("Çiğdem", "Дмитрий", "さくら", "نور", "Zoë 🫘", "O'Neil [x]"):
        assert safe(name) == name


def test_json_for_the_screen_says_the_same() -> None:
    """What a terminal would obey stands in JSON as an escape, and reads back as it was."""
    value = {"text": "\u009b31m\x7f\u202e\U000e0041 Zoë 🫘\n"}

    encoded = safe_json(msgspec.json.format(msgspec.json.encode(value)))

    assert json.loads(encoded) == value
    assert encoded.decode().replace("\n", "").isprintable()
    assert "Zoë 🫘" in encoded.decode()


def test_a_long_text_is_cut() -> None:
    """No text fills the screen."""
    assert len(safe("x" * 10_000)) == 600
