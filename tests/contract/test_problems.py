"""Every operation has its problems, and the server's own refusals are among them.

That it answers no others is checked wherever tests ask it (`tests.service.in_process`), and by schemathesis.
"""

from events.rules.errors import RuleViolation
from service.http.contract.problems import BEFORE
from service.server.refusals import REFUSALS
from tests.contract.references import problems
from tests.service.http.contract.test_problem_table import documented


def test_what_is_refused_before_it_is_a_request_can_meet_every_operation() -> None:
    """The server's own refusals, as `service.server.refusals` has them."""
    assert {(each.status, each.code) for each in REFUSALS} == BEFORE
    assert all(known >= BEFORE for known in problems().values())


def test_every_problem_of_an_operation_is_documented() -> None:
    """With its status: docs/problems.md has all codes that are not the rules' own."""
    known = {(status, code) for code, statuses in documented().items() for status in statuses}
    rules = {(422, each.code) for each in RuleViolation.__subclasses__()}
    assert set().union(*problems().values()) <= known | rules


def test_every_documented_problem_is_some_operations() -> None:
    """But for those of addresses that are none under /v1, or of no method there."""
    known = {(status, code) for code, statuses in documented().items() for status in statuses}
    assert known - set().union(*problems().values()) == {(405, "method_not_allowed"), (503, "not_ready")}
