"""A person who plays with the mouse: presses what the page offers, and nothing else."""

import random
from typing import Final

from playwright.sync_api import Locator

from tests.service.pages.windows import Window

SELDOM: Final = ("harvest", "swap_hand")
"""What can be done again and again: no game would end by it."""


class Clicker:
    """Decides by a chance of its own, so that the same seed does the same where the table is the same."""

    def __init__(self, window: Window, seed: int) -> None:
        """Play in this window."""
        self.window = window
        self._chance = random.Random(seed)
        self._offered = ""
        self.pressed: dict[str, int] = {}

    def play(self) -> bool:
        """Do one thing, if there is anything to do; whether anything was done."""
        window = self.window
        window.settle()
        if window.is_over():
            return False
        if self._answer_offers():
            return True
        if not window.is_awaited():
            return False
        return self._offer() or self._claim() or self._take_turn()

    def _answer_offers(self) -> bool:
        """Accept, decline or counter what somebody offers."""
        accept, decline = self._found("accept"), self._found("decline")
        if accept and self._chance.random() < 0.5:
            self._press("accept", self._chance.choice(accept))
            chosen = self.window.page.locator("[data-act=accept-with]")
            if chosen.count():
                chosen.click()
                self.window.settle()
            return True
        if decline:
            self._press("decline", self._chance.choice(decline))
        return bool(decline)

    def _offer(self) -> bool:
        """Compose an offer once in a trading: a card or two for something, or a gift."""
        page = self.window.page
        turn = page.locator("#status .badge.turn").text_content() or ""
        compose = page.locator("[data-key=compose] button")
        if turn == self._offered or not compose.count():
            return False
        self._offered = turn
        compose.click()
        give = page.locator("#composer fieldset:nth-of-type(1) .toggle.card:visible").all()
        for card in self._chance.sample(give, min(len(give), self._chance.randint(1, 2))):
            card.click()
        if self._chance.random() < 0.7:
            self._chance.choice(page.locator("#composer .variety .more:visible").all()).click()
        self._press("offer", page.locator("#composer .act.main"))
        return True

    def _claim(self) -> bool:
        claims = self._found("claim_bonus")
        if claims:
            self._press("claim_bonus", claims[0])
        return bool(claims)

    def _take_turn(self) -> bool:
        """What the turn asks for; harvests only where nothing else is to be done, or by chance."""
        page = self.window.page
        buttons = page.locator("#turn-acts [data-act]:visible").all()
        by_type = {each: each.get_attribute("data-act") or "" for each in buttons}
        harvests = self._found("harvest")
        plants = [each for each, kind in by_type.items() if kind.startswith("plant")]
        if harvests and not plants and self._needs_a_field():
            self._press("harvest", self._chance.choice(harvests))
            return True
        if not buttons:
            if harvests:
                self._press("harvest", self._chance.choice(harvests))
            return bool(harvests)
        chosen = self._chance.choice(plants or buttons)
        self._press(by_type[chosen], chosen)
        return True

    def _needs_a_field(self) -> bool:
        """Whether something has to be planted that no field takes."""
        phase = self.window.page.locator("#status .badge.phase").text_content() or ""
        return "plant" in phase

    def _found(self, kind: str) -> list[Locator]:
        return self.window.page.locator(f"#playing [data-act={kind}]:visible").all()

    def _press(self, kind: str, button: Locator) -> None:
        self.pressed[kind] = self.pressed.get(kind, 0) + 1
        button.click()
        self.window.settle()


def play_together(clickers: list[Clicker], most: int) -> int:
    """Let all of them act in turn until the game is over, or so many acts were done; how many there were."""
    acts = 0
    while acts < most and not all(each.window.is_over() for each in clickers):
        did = [each.play() for each in clickers]
        acts += sum(did)
        if not any(did):
            clickers[0].window.page.wait_for_timeout(30)
    return acts
