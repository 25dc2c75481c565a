"""A worker in this process, and damage for it to find."""

import redis
from rq import SimpleWorker
from rq.timeouts import TimerDeathPenalty

from service.storage.queues import beside_queue, validation_queue
from tests.service.in_process import InProcess, Stored


class Worker(SimpleWorker):
    """A worker in this process."""

    death_penalty_class = TimerDeathPenalty


def work(client: redis.Redis) -> int:
    """Do all jobs that are in the queues of validations and of what is beside games; returns how many there were."""
    queues = [validation_queue(client), beside_queue(client)]
    waiting = sum(map(len, queues))
    Worker(queues, connection=client, serializer=queues[0].serializer).work(burst=True, logging_level="ERROR")
    return waiting


def replace_entry(api: InProcess, game: Stored, version: int, **changes: object) -> None:
    """Change an entry behind the store's back: the stream is deleted and added again with it."""
    name = f"{{p{api.store.partition_of(game.id):02}}}:game:{game.id}:log"
    command = api.store.connection.command
    entries = command("XRANGE", name, "-", "+")
    command("DEL", name)
    for entry_id, fields in entries:
        found = dict(zip(fields[::2], fields[1::2], strict=True))
        if entry_id == f"{version}-0".encode():
            found |= {key.encode(): value for key, value in changes.items()}
        command("XADD", name, entry_id, *[each for pair in found.items() for each in pair])
