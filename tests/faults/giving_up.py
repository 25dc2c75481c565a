"""What an operator does where the lost end of a log is lost for good: release what is quarantined, and play goes on.

From then on nothing that is left may be lost or doubled as before, and whoever names what is gone is told at every
moment: `history_lost` at first, `history_forked` when others have played on.
"""

import random
from typing import Final

from tests.faults.installation import Installation
from tests.faults.ledger import Acknowledged
from tests.faults.players import Players
from tests.faults.told import PLAYED_ON, RELEASED, judge, questions, say
from tests.faults.truncation import cut, lost_games, newest_known, readiness, version_of

MOST_WORDS: Final = 100
"""Said at most until a game has come to the version again that it had."""


def cut_and_give_up(installation: Installation, players: Players, dice: random.Random) -> None:
    """Cut off the log's end, accept the loss as an operator would, and see that play goes on."""
    players.rest()
    known = newest_known(players.ledger.acknowledged)
    cut(installation, players, dice)
    _release(installation, players)
    lost = lost_games(installation, known)
    for game in lost:
        players.give_up(game, version_of(installation, game))
    if lost:
        _ask_again(installation, players, known[dice.choice(lost)])
    if told := readiness(installation)["quarantined"]:
        players.ledger.find(f"released, partitions are quarantined again: {told}")
    players.go_on()


def _release(installation: Installation, players: Players) -> None:
    """Release every quarantined partition, and build the list anew where the service asks for it."""
    for each in readiness(installation)["quarantined"]:
        _operate(installation, players, "partitions", "release", str(each["partition"]), "--yes")
    if readiness(installation)["projection_stopped"]:
        _operate(installation, players, "projections", "rebuild")


def _operate(installation: Installation, players: Players, *arguments: str) -> None:
    done = installation.operate(*arguments)
    if done.returncode:
        players.ledger.find(f"{' '.join(arguments)} ended with {done.returncode}: {done.stdout}{done.stderr}")


def _ask_again(installation: Installation, players: Players, newest: Acknowledged) -> None:
    """Name a lost version after the release, and again when the game has come to it by other moves."""
    token = players.board.token(newest.game)
    for question, answer in questions(installation, newest, token).items():
        judge(players, RELEASED, question, answer)
    if not version_of(installation, newest.game):
        return
    for _ in range(MOST_WORDS):
        if version_of(installation, newest.game) >= newest.version:
            break
        say(installation, newest.game, token)
    for question, answer in questions(installation, newest, token).items():
        judge(players, PLAYED_ON, question, answer)
