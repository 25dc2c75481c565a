"""Clients that send everything again and again, through a store whose answers get lost: each command counts once."""

import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Event, Thread
from typing import Any

from events.store.redis.redis_store import RedisEventStore
from tests.service.in_process import NAMES, InProcess
from tests.support.http_play import Answer, events_of
from tests.support.lossy_proxy import LossyProxy

CLIENTS = 64
COMMANDS = 3
TIMES = 3
TABLES = 8
LOSING_SECONDS = 0.1
"""How often an answer of the store gets lost."""


def test_64_clients_send_every_command_three_times(redis_url: str, store: RedisEventStore) -> None:
    """One after the other and at once, by two processes: a command has one answer, and is in the log once."""
    with LossyProxy(redis_url) as proxy:
        lossy = [RedisEventStore.connect(proxy.url) for _ in range(2)]
        processes = [InProcess(each) for each in lossy]
        whole = InProcess(store)
        tables = [whole.create([{"name": name} for name in NAMES[:3]]) for _ in range(TABLES)]
        done = Event()
        loser = Thread(target=lose_answers, args=(proxy, done))
        loser.start()
        try:
            with ThreadPoolExecutor(CLIENTS) as clients:
                answers = list(clients.map(lambda number: client(processes, tables, number), range(CLIENTS)))
        finally:
            done.set()
            loser.join()
            for each in lossy:
                each.close()
        assert proxy.lost > 0
    for told in (told for each in answers for told in each.values()):
        assert len({answer.body for answer in told}) == 1
        assert sum("idempotent-replayed" not in answer.headers for answer in told) <= 1
    said = Counter(
        event["entry"]["data"]["text"]
        for table in tables
        for event in events_of(whole, table["game"])
        if event["entry"]["type"] == "talked"
    )
    assert said == Counter(text for each in answers for text in each)


def lose_answers(proxy: LossyProxy, done: Event) -> None:
    """Let an answer get lost now and then."""
    while not done.wait(LOSING_SECONDS):
        proxy.lose_next_reply()


def client(processes: list[InProcess], tables: list[Any], number: int) -> dict[str, list[Answer]]:
    """Say some things at a table, each several times with one key; the answers to each."""
    dice = random.Random(number)
    table = tables[number % TABLES]
    token = table["seats"][number % 3]["token"]
    answers: dict[str, list[Answer]] = {}
    for count in range(COMMANDS):
        text = f"{number}/{count}"

        send = partial(accepted, dice.choice(processes), table["game"], token)
        if dice.random() < 0.5:
            answers[text] = [send(text) for _ in range(TIMES)]
        else:
            with ThreadPoolExecutor(TIMES) as at_once:
                answers[text] = list(at_once.map(send, [text] * TIMES))
    return answers


def accepted(process: InProcess, game: str, token: str, text: str) -> Answer:
    """The answer to a command, sent again with its key as long as the service says to try again."""
    path, body = f"/v1/games/{game}/commands", {"type": "say", "text": text}
    while True:
        answer = process.call("POST", path, body, token=token, headers={"Idempotency-Key": f"say-{text}"})
        if answer.status != 503:
            assert answer.status == 200, answer.body
            return answer
        assert "retry-after" in answer.headers
