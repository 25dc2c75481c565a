"""`python -m tests.contract` writes the worked examples of the contract anew, from recorded games."""

from pathlib import Path
from tempfile import TemporaryDirectory

from events.store.redis.redis_store import RedisEventStore
from tests.contract.examples import FILE, examples_text
from tests.service.in_process import InProcess
from tests.support.servers import RunningStore

if __name__ == "__main__":
    with TemporaryDirectory() as folder, RunningStore(Path(folder)) as running:
        store = RedisEventStore.connect(running.url)
        api = InProcess(store)
        FILE.write_text(examples_text(api), encoding="utf-8")
        api.close()
        store.close()
