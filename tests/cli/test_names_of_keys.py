"""The name of a key on the command line follows the one rule for names."""

import pytest

from tests.support.commands import fieldbook


@pytest.mark.parametrize("name", ["", " ", "A\nB", "A\u0085B", "A\u2028B", "A\u034fB", "A\u17b4B", "x" * 61])
def test_a_key_has_a_name_that_everybody_sees(name: str) -> None:
    """Refuse it as wrong use, before looking for a store."""
    refused = fieldbook("keys", "create", "--name", name, "--scope", "create_games")
    assert refused.returncode == 2, refused.stderr
    assert "name" in refused.stderr
    assert "Traceback" not in refused.stderr
