"""One connection for all that an event loop asks: in order, together, and broken off at once where it fails."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing
from typing import TypeVar

import pytest
import redis

from events.store.redis.client import pipeline as module
from events.store.redis.client.connection import RedisConnection
from events.store.redis.client.pipeline import Pipeline, PipelineBroken
from tests.support.lossy_proxy import LossyProxy

MANY = 300
_T = TypeVar("_T")


@pytest.fixture
def proxy(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[LossyProxy]:
    """Yield a way to the store that can fail, for a pipeline that does not rest for long."""
    monkeypatch.setattr(module, "REST_SECONDS", 0.05)
    monkeypatch.setattr(module, "ANSWER_SECONDS", 0.3)
    monkeypatch.setattr(module, "CONNECT_SECONDS", 0.3)
    monkeypatch.setattr(module, "LOOK_SECONDS", 0.05)
    with LossyProxy(redis_url) as proxy:
        yield proxy


def run(url: str, question: Callable[[Pipeline], Awaitable[_T]]) -> _T:
    """What is found with a pipeline to this address."""

    async def asked() -> _T:
        with closing(Pipeline(url)) as pipeline:
            return await question(pipeline)

    return asyncio.run(asked())


def test_what_many_ask_is_answered_in_order_over_one_connection(redis_url: str) -> None:
    """Each gets the reply to its own question, also of several that go together."""
    client = RedisConnection(redis_url)

    async def question(pipeline: Pipeline) -> tuple[list[list[bytes]], list[int]]:
        echoes = [pipeline.ask(("ECHO", f"{number}")) for number in range(MANY)]
        ids = [pipeline.ask(("CLIENT", "ID"), ("CLIENT", "ID")) for _ in range(3)]
        found = await asyncio.gather(*echoes)
        return found, [each for pair in await asyncio.gather(*ids) for each in pair]

    echoes, ids = run(redis_url, question)
    assert echoes == [[f"{number}".encode()] for number in range(MANY)]
    assert len(set(ids)) == 1
    client.close()


def test_a_refusal_is_that_of_one_question(redis_url: str) -> None:
    """The others have their replies, and the connection is as good as before."""

    async def question(pipeline: Pipeline) -> list[object]:
        asked = [pipeline.ask(each) for each in (("ECHO", "a"), ("NO SUCH COMMAND",), ("ECHO", "b"))]
        return [*await asyncio.gather(*asked, return_exceptions=True)]

    before, refused, after = run(redis_url, question)
    assert (before, after) == ([b"a"], [b"b"])
    assert isinstance(refused, redis.ResponseError)


def test_a_large_reply_comes_whole(redis_url: str) -> None:
    """However many pieces it arrives in."""
    large = "x" * 3_000_000
    assert run(redis_url, lambda pipeline: pipeline.ask(("ECHO", large))) == [large.encode()]


def test_a_lost_connection_is_told_to_all_who_wait_and_found_again(proxy: LossyProxy) -> None:
    """What was sent may have happened; after a rest it connects anew."""

    async def question(pipeline: Pipeline) -> list[object]:
        assert await pipeline.ask(("ECHO", "a")) == [b"a"]
        proxy.lose_next_reply()
        lost = await asyncio.gather(*(pipeline.ask(("ECHO", "b")) for _ in range(3)), return_exceptions=True)
        with pytest.raises(PipelineBroken):
            await pipeline.ask(("ECHO", "c"))
        await asyncio.sleep(0.1)
        return [*lost, await pipeline.ask(("ECHO", "d"))]

    *lost, found = run(proxy.url, question)
    assert [type(each) for each in lost] == [PipelineBroken] * 3
    assert found == [b"d"]


def test_an_answer_that_is_late_is_given_up(proxy: LossyProxy) -> None:
    """Whoever has asked has time to ask in another way; what comes afterwards is nobody's."""

    async def question(pipeline: Pipeline) -> object:
        assert await pipeline.ask(("ECHO", "a")) == [b"a"]
        proxy.pause()
        with pytest.raises(PipelineBroken):
            await asyncio.wait_for(pipeline.ask(("ECHO", "b")), 5)
        proxy.resume()
        await asyncio.sleep(0.1)
        return await pipeline.ask(("ECHO", "c"))

    assert run(proxy.url, question) == [b"c"]


def test_a_server_that_is_silent_from_the_beginning_is_given_up(proxy: LossyProxy) -> None:
    """A stopped server is connected to all the same: it is the first answer that does not come."""

    async def question(pipeline: Pipeline) -> object:
        proxy.pause()
        with pytest.raises(PipelineBroken):
            await asyncio.wait_for(pipeline.ask(("ECHO", "a")), 5)
        proxy.resume()
        await asyncio.sleep(0.1)
        return await pipeline.ask(("ECHO", "b"))

    assert run(proxy.url, question) == [b"b"]


def test_a_server_that_is_away_is_told_at_once_and_left_alone_for_a_while() -> None:
    """Nothing is asked of it while it rests."""

    async def question(pipeline: Pipeline) -> int:
        for _ in range(2):
            with pytest.raises(PipelineBroken):
                await pipeline.ask(("PING",))
        return 2

    assert run("redis://127.0.0.1:1", question) == 2


def test_so_much_is_waited_for_and_no_more(proxy: LossyProxy, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond that a question is for somebody else."""
    monkeypatch.setattr(module, "MOST_WAITING", 2)

    async def question(pipeline: Pipeline) -> list[object]:
        assert await pipeline.ask(("ECHO", "a")) == [b"a"]
        asked = [pipeline.ask(("ECHO", "b")) for _ in range(3)]
        return [*await asyncio.gather(*asked, return_exceptions=True)]

    first, second, third = run(proxy.url, question)
    assert first == second == [b"b"]
    assert isinstance(third, PipelineBroken)


def test_whoever_goes_away_leaves_the_order_as_it_is(redis_url: str) -> None:
    """A question that nobody waits for any more has its reply dropped."""

    async def question(pipeline: Pipeline) -> object:
        assert await pipeline.ask(("ECHO", "a")) == [b"a"]
        gone = asyncio.ensure_future(pipeline.ask(("ECHO", "b")))
        await asyncio.sleep(0)
        gone.cancel()
        return await pipeline.ask(("ECHO", "c"))

    assert run(redis_url, question) == [b"c"]
