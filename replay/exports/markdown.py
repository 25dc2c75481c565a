"""A game as a report in Markdown: result, turns, everything that happened, figures, and where it comes from."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from events import domain_events as e
from events.log.disclosure import ALL, viewer_name
from replay.commentary import Commentary
from replay.commentary.texts import NAME_LENGTH, make_printable
from replay.exports.event_table import moment
from replay.exports.markdown_text import plain, table
from replay.terminal.table_text import is_dated
from replay.timeline.statistics.figures import GameStatistics
from replay.timeline.statistics.rows import duration, rows
from replay.timeline.statistics.tally import compute_statistics
from replay.timeline.statistics.text import row_label
from replay.timeline.timeline import Timeline, step_sentence


def write_markdown(timeline: Timeline, language: str, output: BinaryIO) -> None:
    """Write the report."""
    output.writelines(f"{line}\n".encode() for line in _Report(timeline, language).lines())


@dataclass(slots=True)
class Turn:
    """One turn, or with number 0 what was before the first; where the game went back, what follows is another one.

    Attributes:
        turn: its number.
        seat: whose turn it was.
        first, last: its first and last version.
        counts: whether anything of it counts.
        planted: cards planted, by anybody; of this and what follows only what counts.
        trades: trades made.
        earned: coins earned by harvests, by anybody.
    """

    turn: int
    seat: int
    first: int
    last: int
    counts: bool = False
    planted: int = 0
    trades: int = 0
    earned: int = 0


def split_into_turns(timeline: Timeline) -> list[Turn]:
    """The turns of a timeline in order, the time before the first among them."""
    turns, counted = [Turn(0, 0, 1, 0)], True
    for version in range(1, timeline.last + 1):
        step = timeline.at(version)
        event = step.event
        if isinstance(event, e.TurnBegan):
            turns.append(Turn(event.turn, event.seat, version, version))
        elif step.counts and not counted:
            turns.append(Turn(turns[-1].turn, turns[-1].seat, version, version))
        elif isinstance(event, e.GameRewound):
            turns[-1].turn, turns[-1].seat = step.state.turn, step.state.active
        counted = step.counts
        turn = turns[-1]
        turn.last = version
        if not step.counts:
            continue
        turn.counts = True
        match event:
            case e.BeanPlanted() | e.AsidePlanted() | e.RevealedPlanted():
                turn.planted += 1
            case e.TradeMade():
                turn.trades += 1
            case e.FieldHarvested() | e.FieldPaidFromPiles():
                turn.earned += event.coins
    return turns


class _Report:
    """The lines of a report about one game."""

    def __init__(self, timeline: Timeline, language: str) -> None:
        """Begin the report on a game in a language."""
        self._timeline = timeline
        self._tell = Commentary(timeline.header.catalogue, language)
        self._figures: GameStatistics = compute_statistics(timeline)

    def lines(self) -> Iterator[str]:
        """Each part under its heading."""
        game = plain(make_printable(self._timeline.header.game, NAME_LENGTH))
        yield f"# {self._word('title', game=game)}"
        yield ""
        yield from self._game()
        if self._timeline.last:
            yield from self._players()
            turns = split_into_turns(self._timeline)
            yield from self._turns(turns)
            yield from self._log(turns)
            yield from self._numbers()
        yield from self._provenance()

    def _word(self, key: str, **values: object) -> str:
        return self._tell.messages.say("report", key, **values)

    def _player(self, seat: int) -> str:
        state = self._timeline.at(self._timeline.last).state
        return plain(self._tell.player(state, seat))

    def _section(self, key: str) -> Iterator[str]:
        yield f"## {self._word(key)}"
        yield ""

    def _list_pairs(self, pairs: dict[str, str]) -> Iterator[str]:
        for key, value in pairs.items():
            yield f"- **{self._word(key)}**: {value}"
        yield ""

    def _game(self) -> Iterator[str]:
        header, figures = self._timeline.header, self._figures
        pairs = {}
        if self._timeline.last:
            state = self._timeline.at(self._timeline.last).state
            system = plain(make_printable(state.system, NAME_LENGTH))
            pairs["system"] = self._word("system_and_version", system=system, version=state.system_version)
            if state.options:
                options = (
                    f"{make_printable(name, NAME_LENGTH)}: {make_printable(str(value))}"
                    for name, value in state.options.items()
                )
                pairs["options"] = plain(", ".join(options))
        catalogue = make_printable(header.catalogue.name, NAME_LENGTH)
        pairs["catalogue"] = f"{plain(catalogue)} (`{header.catalogue.hash()[:16]}`)"
        if self._timeline.last and is_dated(figures.began):
            first, last = (moment(at)[:19] for at in (figures.began, figures.began + figures.milliseconds))
            period = self._word("period", first=f"{first} UTC", last=f"{last} UTC")
            pairs["played"] = f"{period} ({duration(figures.milliseconds)})"
        pairs["seen"] = viewer_name(self._timeline.viewer)
        yield from self._section("game")
        yield from self._list_pairs(pairs)

    def _players(self) -> Iterator[str]:
        figures, state = self._figures, self._timeline.at(self._timeline.last).state
        yield from self._section("players")
        heading = [self._word(key) for key in ("seat", "player", "result")]
        lines = []
        for own in figures.seats:
            score = "" if own.score is None else self._tell.count(figures.unit, own.score)
            won = f", **{self._word('won')}**" if own.seat in figures.winners else ""
            lines.append(
                [str(own.seat), plain(self._tell.player_and_kind(state, own.seat)), f"{plain(score)}{won}"]
            )
        yield from table(heading, lines)

    def _turns(self, turns: list[Turn]) -> Iterator[str]:
        yield from self._section("turns")
        keys = ("turn", "player", "from_version", "planted", "trades", "earned")
        lines = (
            [
                str(each.turn),
                self._player(each.seat),
                *map(str, (each.first, each.planted, each.trades, each.earned)),
            ]
            for each in turns
            if each.turn and each.counts
        )
        yield from table([self._word(key) for key in keys], lines)

    def _log(self, turns: list[Turn]) -> Iterator[str]:
        yield from self._section("log")
        for turn in turns:
            heading = (
                self._word("turn_of", turn=turn.turn, player=self._player(turn.seat))
                if turn.turn
                else self._word("before")
            )
            yield f"### {heading}"
            yield ""
            for version in range(turn.first, turn.last + 1):
                step = self._timeline.at(version)
                if not isinstance(step.event, e.TurnBegan):
                    yield f"- **{version}** {plain(step_sentence(self._tell, step))}"
            yield ""

    def _numbers(self) -> Iterator[str]:
        yield from self._section("figures")
        heading = ["", *(self._player(own.seat) for own in self._figures.seats)]
        lines = (
            [plain(row_label(row, self._tell).strip()), *map(plain, row.cells)] for row in rows(self._figures)
        )
        yield from table(heading, lines)

    def _provenance(self) -> Iterator[str]:
        last, broken = self._timeline.last, self._timeline.broken
        verified = (
            self._word("holds" if self._timeline.viewer == ALL else "holds_as_shown")
            if broken is None
            else self._word("broken", version=broken.version, reason=plain(make_printable(broken.reason)))
        )
        yield from self._section("provenance")
        head = f"`{self._timeline.at(last).form.hash}`" if last else ""
        yield from self._list_pairs({"entries": str(last), "chain_head": head, "verified": verified})
