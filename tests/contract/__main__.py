"""`python -m tests.contract` writes `openapi.yaml`: the contract with examples from recorded games."""

from pathlib import Path
from tempfile import TemporaryDirectory

from events.store.redis.redis_store import RedisEventStore
from tests.contract.examples import FILE, contract_with_examples
from tests.service.in_process import InProcess
from tests.support.servers import RunningStore

if __name__ == "__main__":
    with TemporaryDirectory() as folder, RunningStore(Path(folder)) as running:
        store = RedisEventStore.connect(running.url)
        api = InProcess(store)
        written = contract_with_examples(api)
        api.close()
        store.close()
    new = FILE.with_suffix(".yaml.new")
    new.write_text(written, encoding="utf-8")
    new.replace(FILE)
