"""What every refusal has: a message, a stable code, and the section of the printed rules."""

from typing import ClassVar

BOOKLET = "Bohnanza (104 cards)"
PLAYING = f"{BOOKLET}, 1. Jouer les cartes haricots"
SELLING = f"{BOOKLET}, Vendre des haricots - Récolte"
TRADING = f"{BOOKLET}, 2. Echanges et dons"
GROWING = f"{BOOKLET}, Culture de haricots"
DRAWING = f"{BOOKLET}, 3. Pioche de nouvelles cartes haricots"
FIELDS = f"{BOOKLET}, Champs de haricots"
TURN = f"{BOOKLET}, Déroulement de la partie"
ENDING = f"{BOOKLET}, Fin du jeu"
PREPARING = f"{BOOKLET}, Préparatifs"
DUEL = "Bohnanza: The Duel"
DUEL_OFFERING = f"{DUEL}, Offrir des cartes haricots"
DUEL_BLUFFING = f"{DUEL}, Bluff !"
DUEL_PLANTING = f"{DUEL}, Planter les cartes piochées et reçues"
DUEL_DRAWING = f"{DUEL}, Piocher deux cartes Haricot et éventuellement des cartes Bonus"
DUEL_BONUS = f"{DUEL}, Les cartes Bohnus"
LADY_BOHN = "Lady Bohn (expansion)"
FANS = f"{LADY_BOHN}, The 4 cards and 6 cards fans"
MAKE_UP = f"{LADY_BOHN}, The Schminkbohnen"
ROTATION = f"{LADY_BOHN}, Rotation after a harvest"
LADYBOHN = "Ladybohn"
BABIES = f"{LADYBOHN}, Rapprochement des miss grâce aux bébés"
SERVICE = "Fieldbook, house rule"


class RuleViolation(Exception):
    """The rules forbid it; the message says what was asked and what stands against it."""

    code: ClassVar[str] = "rule_violation"
    section: ClassVar[str] = SERVICE

    def __init_subclass__(cls, section: str = SERVICE) -> None:
        """Derive the stable code from the class name and keep the printed rules' section."""
        name = cls.__name__
        cls.code = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip(
            "_"
        )
        cls.section = section
