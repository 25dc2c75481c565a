"""What the contracts of stores on servers ask for, besides `url` and `store`."""

from collections.abc import Iterator

import pytest

from tests.support.lossy_proxy import LossyProxy


@pytest.fixture
def lossy(url: str) -> Iterator[tuple[LossyProxy, str]]:
    """Put a proxy before the server; yields it with the address that leads through it."""
    with LossyProxy(url) as proxy:
        yield proxy, proxy.url
