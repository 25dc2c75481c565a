"""The shapes of answers. Members may be added without notice, so unknown ones are allowed."""

import marshmallow as ma
from marshmallow import fields, validate


class Answer(ma.Schema):
    """Base of all answers."""

    class Meta:
        """Settings of the schema."""

        unknown = ma.INCLUDE


class ProblemAnswer(Answer):
    """An error (RFC 9457): `type` and `code` are stable, `detail` is for people."""

    type = fields.String(required=True)
    title = fields.String(required=True)
    status = fields.Integer(required=True)
    code = fields.String(required=True)
    detail = fields.String(required=True)
    request_id = fields.String()


class RefusalAnswer(ProblemAnswer):
    """A command that the rules refuse, or that follows one which may turn up hidden cards."""

    section = fields.String(required=True)
    place = fields.Integer(required=True)
    version = fields.Integer(required=True)
    legal_commands = fields.List(fields.Dict(), required=True)


class EventAnswer(Answer):
    """A log entry as the caller may see it: hidden values are commitments, `salts` open those that are shown.

    `text` says it in a sentence, where the request names a language; its wording may change with a release.
    """

    entry = fields.Dict(required=True)
    salts = fields.Dict(keys=fields.String(), values=fields.String(), required=True)
    hash = fields.String(required=True)
    text = fields.String()


class EventsAnswer(Answer):
    """A page of events; `version` is the game's, `next` where to go on, `cursor` the same in this very history."""

    game = fields.String(required=True)
    version = fields.Integer(required=True)
    hash = fields.String(required=True)
    events = fields.List(fields.Nested(EventAnswer), required=True)
    next = fields.Integer(required=True)
    cursor = fields.String(required=True)


class CommandAnswer(Answer):
    """What commands brought about: how many count, why the next one does not, and what a dry run keeps to itself."""

    game = fields.String(required=True)
    version = fields.Integer(required=True)
    hash = fields.String(required=True)
    dry_run = fields.Boolean(required=True)
    withheld = fields.Boolean(required=True)
    applied = fields.Integer(required=True)
    stopped = fields.Nested(RefusalAnswer, required=True, allow_none=True)
    events = fields.List(fields.Nested(EventAnswer), required=True)


class LegalCommandsAnswer(Answer):
    """What the caller may send now: commands ready to send, or forms to fill in."""

    game = fields.String(required=True)
    version = fields.Integer(required=True)
    hash = fields.String(required=True)
    status = fields.String(required=True, validate=validate.OneOf(["open", "running", "finished"]))
    seat = fields.Integer(required=True)
    waiting_for = fields.List(fields.Integer(), required=True)
    commands = fields.List(fields.Dict(), required=True)


class CatalogueSummary(Answer):
    """A catalogue in short: its name, where its figures come from, and the hash by which games pin it."""

    catalogue = fields.String(required=True)
    title = fields.String(required=True)
    source = fields.String(required=True)
    provenance = fields.List(fields.String(), required=True)
    hash = fields.String(required=True)


class GameCatalogueAnswer(Answer):
    """The catalogue that a game is played with, and the names of its cards in several languages."""

    game = fields.String(required=True)
    hash = fields.String(required=True)
    catalogue = fields.Dict(required=True)
    names = fields.Dict(required=True)


class StateAnswer(Answer):
    """The table as the caller may see it."""

    game = fields.String(required=True)
    version = fields.Integer(required=True)
    hash = fields.String(required=True)
    viewer = fields.String(required=True)
    visibility = fields.String(required=True)
    spectator_delay = fields.Integer(required=True)
    system = fields.String(required=True)
    played_with = fields.Nested(CatalogueSummary, required=True)
    status = fields.String(required=True)
    phase = fields.String(required=True, allow_none=True)
    active = fields.Integer(required=True, allow_none=True)
    waiting_for = fields.List(fields.Integer(), required=True)
    seats = fields.List(fields.Dict(), required=True)


class SeatAnswer(Answer):
    """A seat of a game with its token, which is shown only to who asked for it."""

    seat = fields.Integer(required=True)
    name = fields.String(allow_none=True)
    kind = fields.String(allow_none=True)
    token = fields.String()


class NewGameAnswer(Answer):
    """A game that was set up, with the tokens of its human seats."""

    game = fields.String(required=True)
    version = fields.Integer(required=True)
    hash = fields.String(required=True)
    visibility = fields.String(required=True)
    spectator_delay = fields.Integer(required=True)
    commitment = fields.String(required=True)
    seats = fields.List(fields.Nested(SeatAnswer), required=True)


class TakenSeatAnswer(Answer):
    """The seat that was taken."""

    game = fields.String(required=True)
    version = fields.Integer(required=True)
    hash = fields.String(required=True)
    seat = fields.Integer(required=True)
    token = fields.String(required=True)


class RuledAnswer(Answer):
    """The result that a ruling gave a finished game instead of the one in its log; `scores` where it names them."""

    kind = fields.String(required=True, validate=validate.OneOf(["annulled", "awarded", "replaced"]))
    winners = fields.List(fields.Integer(), required=True)
    scores = fields.List(fields.Integer(), required=True)


class GameSummary(Answer):
    """A game in the list. One in quarantine cannot be read up to its end; what was known up to there is shown."""

    game = fields.String(required=True)
    system = fields.String(required=True)
    status = fields.String(required=True)
    players = fields.List(fields.String(allow_none=True), required=True)
    version = fields.Integer(required=True)
    created = fields.Integer(required=True)
    validation = fields.String(required=True)
    quarantined = fields.Boolean(required=True)
    visibility = fields.String(required=True)
    spectator_delay = fields.Integer(required=True)
    ruled = fields.Nested(RuledAnswer, required=True, allow_none=True)


class GamesAnswer(Answer):
    """A page of games, newest first; `next` is the cursor of the following page, or null."""

    games = fields.List(fields.Nested(GameSummary), required=True)
    next = fields.String(required=True, allow_none=True)


class SystemAnswer(Answer):
    """A rule system."""

    system = fields.String(required=True)
    title = fields.String(required=True)
    version = fields.Integer(required=True)
    players = fields.List(fields.Integer(), required=True)
    options = fields.Dict(required=True)
    catalogue = fields.Dict(required=True)
    names = fields.Dict(required=True)
    catalogues = fields.List(fields.Nested(CatalogueSummary), required=True)


class SystemsAnswer(Answer):
    """All rule systems."""

    systems = fields.List(fields.Nested(SystemAnswer), required=True)


class ReceiptAnswer(Answer):
    """A signed receipt: how one version of the rules answers to a game, asked by one version of the engine."""

    version = fields.Integer(required=True)
    hash = fields.String(required=True)
    system = fields.String(required=True)
    system_version = fields.Integer(required=True)
    engine_version = fields.Integer(required=True)
    pinned = fields.Boolean(required=True)
    result = fields.String(required=True, validate=validate.OneOf(["agrees", "differs", "invalid"]))
    commands = fields.Integer(required=True)
    differing = fields.Integer(required=True)
    differences = fields.List(fields.Dict(), required=True)
    findings = fields.List(fields.Dict(), required=True)
    at = fields.Integer(required=True)
    note = fields.String(required=True)


class ValidationsAnswer(Answer):
    """The validator's reports on a game and the receipts of its audits, newest first."""

    game = fields.String(required=True)
    validation = fields.String(required=True)
    reports = fields.List(fields.Dict(), required=True)
    receipts = fields.List(fields.Nested(ReceiptAnswer), required=True)


class TicketAnswer(Answer):
    """A ticket for one stream of a game, and until when it is good (milliseconds since the epoch)."""

    game = fields.String(required=True)
    ticket = fields.String(required=True)
    expires = fields.Integer(required=True)


class SigningKeysAnswer(Answer):
    """The keys of the service, the one in use last."""

    name = fields.String(required=True)
    keys = fields.List(fields.Dict(), required=True)


class LogAnswer(Answer):
    """The log as it stands: its name, its size and its signed checkpoint."""

    origin = fields.String(required=True)
    size = fields.Integer(required=True)
    checkpoint = fields.String(required=True)


class LogEntriesAnswer(Answer):
    """Leaves of the log in order; `next` where to go on."""

    first = fields.Integer(data_key="from", required=True)
    entries = fields.List(fields.String(), required=True)
    next = fields.Integer(required=True)


class VerificationAnswer(Answer):
    """What verifying a record found, and with `audit` what the rules say of every command."""

    ok = fields.Boolean(required=True)
    signed_here = fields.Boolean(required=True)
    verification = fields.Dict(required=True)


class HealthAnswer(Answer):
    """How the service is."""

    status = fields.String(required=True)
