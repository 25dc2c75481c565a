"""A person who plays with the mouse: presses what the page offers, and nothing else."""

import random
from collections import Counter
from collections.abc import Sequence

from playwright.sync_api import ElementHandle, Error

from tests.service.pages.windows import Window

SHORTLY = 15_000
"""Milliseconds for a click: what is offered can be pressed at once, or others have just taken it away."""


class Clicker:
    """Decides by a chance of its own.

    Attributes:
        pressed: how often it has pressed what.
    """

    def __init__(self, window: Window, seed: int) -> None:
        """Play in this window."""
        self.window = window
        self.pressed: Counter[str] = Counter()
        self._chance = random.Random(seed)
        self._offered = ""

    def play(self) -> bool:
        """Do one thing, if there is anything to do; whether anything was done."""
        self.window.settle()
        if self.window.is_over():
            return False
        if self._answer_offers():
            return True
        return self.window.is_awaited() and (self._offer() or self._take_turn())

    def press(self, kind: str, button: ElementHandle) -> bool:
        """Press a button, unless it is gone: others play at the same time. Whether it was there."""
        try:
            button.click(timeout=SHORTLY)
        except Error:
            if button.evaluate("each => each.isConnected && each.checkVisibility()"):
                raise
            return False
        self.pressed[kind] += 1
        self.window.settle()
        return True

    def found(self, selector: str) -> list[ElementHandle]:
        """What can be seen of this in the panel."""
        return [each for each in self.window.page.query_selector_all(selector) if each.is_visible()]

    def _answer_offers(self) -> bool:
        """Accept, decline or counter what somebody offers."""
        accept, decline = self.found("[data-act=accept]"), self.found("[data-act=decline]")
        if accept and self._chance.random() < 0.5:
            return self.press("accept", self._chance.choice(accept)) and self._pay()
        if decline and self._chance.random() < 0.15:
            return self._counter()
        return bool(decline) and self.press("decline", self._chance.choice(decline))

    def _pay(self) -> bool:
        """Agree to the cards that are proposed, where there is a choice."""
        for button in self.found("[data-act=accept-with]"):
            self.press("accept-with", button)
        return True

    def _counter(self) -> bool:
        """Answer with the offer turned round, as the composer proposes it."""
        counters = self.found("[data-act=counter]")
        if not counters or not self.press("counter", self._chance.choice(counters)):
            return False
        return self._send()

    def _offer(self) -> bool:
        """Compose an offer once in a trading: a card or two for something, or a gift."""
        turn = self.window.page.text_content("#status .badge.turn") or ""
        compose = self.found("[data-key=compose] button")
        if turn == self._offered or not compose:
            return False
        self._offered = turn
        self.press("compose", compose[0])
        cards = self.found("#composer fieldset:nth-of-type(1) .toggle.card")
        for card in self._chance.sample(cards, min(len(cards), self._chance.randint(1, 2))):
            self.press("card", card)
        if self._chance.random() < 0.7:
            self.press("want", self._chance.choice(self.found("#composer .variety .more")))
        return self._send()

    def _send(self) -> bool:
        for button in self.found("#composer .act.main:not([aria-disabled=true])"):
            self.press("offer", button)
        for button in self.found("#composer .quiet-act"):
            self.press("cancel", button)
        return True

    def _take_turn(self) -> bool:
        """Claim or plant what can be; harvest where something has to be planted and cannot; else what is there."""
        for kinds in ("claim_bonus", "plant", "plant_aside", "plant_revealed"):
            if self._press_one_of(self.found(f"#playing [data-act={kinds}]")):
                return True
        harvests = self.found("#playing [data-act=harvest]")
        phase = self.window.page.text_content("#status .badge.phase") or ""
        if "plant" in phase and self._press_one_of(harvests):
            return True
        return self._press_one_of(self.found("#turn-acts [data-act]")) or self._press_one_of(harvests)

    def _press_one_of(self, buttons: Sequence[ElementHandle]) -> bool:
        if not buttons:
            return False
        button = self._chance.choice(buttons)
        return self.press(button.get_attribute("data-act") or "", button)


def play_together(clickers: Sequence[Clicker], most: int) -> int:
    """Let all of them act in turn until the game is over, or so many acts were done; how many there were."""
    acts = 0
    while acts < most and not all(each.window.is_over() for each in clickers):
        did = [each.play() for each in clickers]
        acts += sum(did)
        if not any(did):
            clickers[0].window.page.wait_for_timeout(30)
    return acts
