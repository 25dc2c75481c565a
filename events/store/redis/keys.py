"""The names of all keys in Redis or Valkey.

{p07}:game:<id>:log          stream, entry id <version>-0: the game's events
{p07}:game:<id>:head         hash: version, hash; of an archived game also archive (tombstone) and commands (packed)
{p07}:game:<id>:commands     hash: command id -> fingerprint and answer, as JSON
{p07}:game:<id>:private      hash: the game's private fields, no part of the log
{p07}:game:<id>:annotations  stream: what was said about the game, outside its chain; of an archived game too
{p07}:game:<id>:annotations:index  hash: where each set of them stands; made again from the stream where it is missing
{p07}:game:<id>:disputes     stream: the cases of the game, chained by themselves; of an archived game too
{p07}:game:<id>:disputes:index  hash: where they stand; made again from the stream where it is missing
{p07}:game:<id>:evidence     hash: SHA-256 of an evidence pack -> the pack, packed; of an archived game too
{p07}:disputes:...           queue, rows, due: the cases that have not ended; computed again from the streams
{p07}:tournament:<id>:log    stream, entry id <number>-0: a tournament, chained by itself; never trimmed
{p07}:tournament:<id>:answers  hash: number of the last entry of an append -> the hash after it
{p07}:tournaments:...        list, due: which there are, when to look at them; computed again from the streams
{p07}:feed                   stream, entry id <position>-0: one entry per append
{p07}:feed:head              string: position of the last feed entry
{p07}:quarantine             string: why nothing is appended to this partition, while that is so
{p07}:quarantine:accepted    string: the damage that was accepted when the partition was released
{p07}:alive                  string: until when time was watched and games could be played
{p07}:outages                list: <since> <until> <reason>, when there was none, oldest first
{p07}:stopping               string: when a stop was planned, until the time is watched again
{p07}:served                 string: when a web process last said that it takes requests, by the server's time
{p07}:trace:<hash>           string: whose trace an append is in, for some minutes; only where traces are recorded
{p07}:projection:<name>:...  checkpoint and read model of a projection
fieldbook:rulings:<reason>   sorted set: <id>/<number> of cases with a final ruling, by its time; an index
fieldbook:installation       string: what was fixed at first use, as JSON

All keys of one call carry one partition's tag, so all of this runs on a cluster unchanged.
"""

from typing import Final

from events.store.partitions import partition_of, partition_tag

INSTALLATION: Final = "fieldbook:installation"


class GameKeys:
    """The keys of one game and of the feed that tells of it."""

    def __init__(self, game_id: str, partitions: int) -> None:
        """Derive them from the id and the installation's number of partitions."""
        tag = partition_tag(partition_of(game_id, partitions))
        self.log = f"{tag}:game:{game_id}:log"
        self.head = f"{tag}:game:{game_id}:head"
        self.commands = f"{tag}:game:{game_id}:commands"
        self.private = f"{tag}:game:{game_id}:private"
        self.annotations = f"{tag}:game:{game_id}:annotations"
        self.annotations_index = f"{self.annotations}:index"
        self.disputes = f"{tag}:game:{game_id}:disputes"
        self.disputes_index = f"{self.disputes}:index"
        self.evidence = f"{tag}:game:{game_id}:evidence"
        self.feed = f"{tag}:feed"
        self.feed_head = f"{tag}:feed:head"
        self.quarantine = f"{tag}:quarantine"
        self.acknowledged = f"{tag}:acknowledged"


def feed_head_key(partition: int) -> str:
    """Return the key of the position of a partition's last feed entry."""
    return f"{partition_tag(partition)}:feed:head"


def feed_key(partition: int) -> str:
    """Return the key of a partition's feed."""
    return f"{partition_tag(partition)}:feed"


def quarantine_key(partition: int) -> str:
    """Return the key of the reason why nothing is appended to a partition."""
    return f"{partition_tag(partition)}:quarantine"


def accepted_key(partition: int) -> str:
    """Return the key of the damage that was accepted when a partition was released."""
    return f"{quarantine_key(partition)}:accepted"


def life_keys(partition: int) -> tuple[str, str, str, str]:
    """Return the keys of a partition's mark of life, of the gaps in it, of a planned stop, and of who serves it."""
    tag = partition_tag(partition)
    return f"{tag}:alive", f"{tag}:outages", f"{tag}:stopping", f"{tag}:served"


def dispute_queue_key(partition: int, part: str) -> str:
    """Return the key of a part of a partition's queue of cases: `queue`, `rows` or `due`."""
    return f"{partition_tag(partition)}:disputes:{part}"


class TournamentKeys:
    """The keys of one tournament and of its partition's lists of them."""

    def __init__(self, tournament: str, partitions: int) -> None:
        """Derive them from the id and the installation's number of partitions."""
        partition = partition_of(tournament, partitions)
        tag = partition_tag(partition)
        self.log = f"{tag}:tournament:{tournament}:log"
        self.answers = f"{tag}:tournament:{tournament}:answers"
        self.quarantine = f"{tag}:quarantine"
        self.list = tournaments_key(partition, "list")
        self.due = tournaments_key(partition, "due")


def tournaments_key(partition: int, part: str) -> str:
    """Return the key of a list of a partition's tournaments: `list` or `due`."""
    return f"{partition_tag(partition)}:tournaments:{part}"


def trace_key(partition: int, chain_hash: str) -> str:
    """Return the key of the trace of an append, by the chain hash of its last event."""
    return f"{partition_tag(partition)}:trace:{chain_hash}"


def projection_key(partition: int, projection: str, part: str) -> str:
    """Return the key of one part of a projection's data in a partition."""
    return f"{partition_tag(partition)}:projection:{projection}:{part}"
