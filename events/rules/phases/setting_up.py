"""Before the first turn and after the last: setting up a table, taking seats, opening the secret."""

import hashlib
import re

from events import commands as c
from events import domain_events as e
from events.chain.canonical import canonical
from events.commands.dealing import DUPLICATE, Dealing
from events.rules import errors
from events.rules.definition.forms import speakable
from events.rules.definition.rule_system import ENGINE_VERSION
from events.rules.interventions.time import check_clock
from events.rules.move import Move, check_seat
from events.rules.phases.drawing import begin_deal

NAME_LENGTH = 40
LONGEST_PATIENCE = 600
"""Seconds for which a bot waits for others at most."""
LONGEST_PLAYER = 100
"""Characters of a player's id at most: an integrator's name for itself, a colon and its own id of the player."""
_PLAYER = re.compile(rf"[A-Za-z0-9._~:-]{{0,{LONGEST_PLAYER}}}")
_PLAIN = re.compile(r"[\x21-\x7e]{0,128}")
_HEX_32_BYTES = re.compile(r"[0-9a-f]{64}")


def create_game(move: Move, command: c.CreateGame) -> None:
    """Set up a table, pinned to its rule system, engine and catalogue, with the dealer's commitment."""
    if move.state.status != "none":
        raise errors.GameStartedAlready(
            "This game exists already; set up another one under an id of its own."
        )
    rules = move.rules
    asked = (command.system, command.players, command.options, command.catalogue)
    if canonical(asked) != canonical(
        (rules.system.key, rules.players, dict(rules.options), rules.catalogue.hash())
    ):
        raise errors.RulesMismatch(
            f"This table is played by {rules.system.key} with {rules.players} players, the options"
            f" {dict(rules.options)} and the catalogue {rules.catalogue.hash()}; the command asks for others."
        )
    for seconds in (command.people_patience, command.program_patience):
        if not 0 <= seconds <= LONGEST_PATIENCE:
            raise errors.BadOption(f"Bots wait for 0 to {LONGEST_PATIENCE} seconds, not for {seconds}.")
    check_clock(command.clock, command.close_after)
    check_dealing(command.dealing)
    move.emit(
        e.GameCreated(
            game=command.game,
            system=rules.system.key,
            system_version=rules.system.version,
            engine_version=ENGINE_VERSION,
            players=rules.players,
            options=dict(rules.options),
            catalogue=command.catalogue,
            commitment=command.commitment,
            people_patience=command.people_patience,
            program_patience=command.program_patience,
            committed_at=command.committed_at,
            clock=command.clock,
            close_after=command.close_after,
            dealing=command.dealing,
        )
    )


def check_dealing(dealing: Dealing | None) -> None:
    """Refuse a dealing that nobody knows, or one whose round has no seed.

    Raises:
        BadDealing
    """
    if dealing is None:
        return
    if dealing.version != DUPLICATE:
        raise errors.BadDealing(
            f"There is no dealing version {dealing.version} here: a game that names none is dealt by version 1, and"
            f" one of a duplicate round by version {DUPLICATE}."
        )
    if not dealing.seed or not _PLAIN.fullmatch(dealing.seed):
        raise errors.BadDealing(
            "The seed of a round has 1 to 128 printable ASCII characters, without spaces."
        )


def take_seat(move: Move, command: c.TakeSeat) -> None:
    """Seat a person or a bot; the game starts by itself when the last seat is taken."""
    if move.state.status == "none":
        raise errors.GameNotStarted("No table has been set up yet at which a seat could be taken.")
    if move.state.status != "open":
        raise errors.GameStartedAlready("Every seat of this game is taken; it has begun.")
    check_seat(move.rules, command.seat)
    if move.state.seats[command.seat].kind:
        raise errors.SeatOccupied(f"Seat {command.seat} is taken; choose another one.")
    _check_player(command)
    if command.seed and move.state.dealing is not None:
        raise errors.SeedNotTaken(
            "All tables of this round get the same deal, from the round's own seed: a seat's seed would change"
            " nothing. Take the seat without one."
        )
    move.emit(
        e.SeatTaken(
            command.seat,
            command.name,
            command.kind,
            command.bot,
            command.bot_seed,
            command.seed,
            command.program,
            command.program_version,
            command.player,
        )
    )
    if all(seat.kind for seat in move.state.seats):
        _start(move)


def _check_player(command: c.TakeSeat) -> None:
    if not speakable(command.name) or len(command.name) > NAME_LENGTH:
        raise errors.BadName(
            f"A name has 1 to {NAME_LENGTH} characters, not only spaces, and no control characters."
        )
    named = {"human": (False, False, False), "bot": (True, False, False), "program": (False, True, True)}
    if named.get(command.kind) != (
        bool(command.bot),
        bool(command.program),
        bool(command.program_version),
    ):
        raise errors.BadName(
            "A seat's kind is 'human', 'bot' with the name of a bot, or 'program' with its name and version."
        )
    if command.bot_seed and not command.bot:
        raise errors.BadName("Only a bot has a bot seed.")
    if not all(_PLAIN.fullmatch(text) for text in (command.bot, command.bot_seed, command.seed)):
        raise errors.BadName(
            "A bot's name and a seed have at most 128 printable ASCII characters, without spaces."
        )
    if not _PLAYER.fullmatch(command.player):
        raise errors.BadName(
            f"A player's id has at most {LONGEST_PLAYER} ASCII letters, digits and characters of '._~:-'."
        )
    for text in (command.program, command.program_version):
        if text and not (speakable(text) and len(text) <= NAME_LENGTH):
            raise errors.BadName(
                f"A program's name and its version have 1 to {NAME_LENGTH} characters, not only spaces, and no"
                " control characters."
            )


def _start(move: Move) -> None:
    move.emit(e.GameStarted(move.rules.setup.fields))
    start = move.rules.options["start_seat"]
    if start == "random":
        move.emit(e.DealerCalled("starting_seat"))
    else:
        begin_deal(move, int(start))


def reveal_secret(move: Move, command: c.RevealSecret) -> None:
    """The dealer opens its secret after the end; it must be the one committed to."""
    due = move.state.due
    if due is None or due.task != "secret":
        raise errors.NothingDue("The secret is not due before the end of the game.")
    if not _HEX_32_BYTES.fullmatch(command.secret):
        raise errors.WrongSecret("A secret is 32 bytes in hex.")
    if hashlib.sha256(bytes.fromhex(command.secret)).hexdigest() != move.state.commitment:
        raise errors.WrongSecret("This is not the secret that the dealer committed itself to.")
    move.emit(e.SecretRevealed(command.secret))
