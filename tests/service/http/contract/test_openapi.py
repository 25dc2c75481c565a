"""The contract: it is what is generated, it is valid, and it names exactly the addresses that there are."""

import gzip
from pathlib import Path

import msgspec
from openapi_spec_validator import validate

from events.log.codec import SEAT_COMMAND_TYPES
from service.http.middleware.observing import template
from service.openapi import contract
from tests.contract.references import paths
from tests.service.in_process import InProcess

FILE = Path(__file__).parents[4] / "openapi.yaml"
METHODS = {"GET", "POST", "PUT", "PATCH", "DELETE"}


def test_the_contract_is_valid() -> None:
    """It is a document of OpenAPI 3.1."""
    validate(msgspec.yaml.decode(FILE.read_bytes()))


def test_every_address_is_in_the_contract_and_the_other_way_round(api: InProcess) -> None:
    """Methods and paths under /v1 are the same in the application and in the contract."""
    described = {
        (method.upper(), path) for path, operations in contract()["paths"].items() for method in operations
    }
    served = {
        (method, template(rule.rule))
        for rule in api.app.url_map.iter_rules()
        for method in METHODS & (rule.methods or set())
        if rule.rule.startswith("/v1")
    }
    assert {pair for pair in described if pair[0] in METHODS} == served


def test_every_command_of_a_seat_is_in_the_contract() -> None:
    """The discriminator maps each type to a schema that allows nothing else."""
    schemas = contract()["components"]["schemas"]
    mapping = schemas["Command"]["discriminator"]["mapping"]
    assert set(mapping) == set(SEAT_COMMAND_TYPES)
    for type_name, reference in mapping.items():
        schema = schemas[reference.rpartition("/")[2]]
        assert schema["properties"]["type"]["enum"] == [type_name]
        assert schema["additionalProperties"] is False
        assert schema["description"]


def test_the_contract_names_the_headers(api: InProcess) -> None:
    """What a request may insist on and what an answer can be kept by; each stands where it means something."""
    for path, operations in paths().items():
        read = {
            each["name"] for each in operations.get("get", {}).get("parameters", ()) if each["in"] == "header"
        }
        assert ("If-None-Match" in read) == ("get" in operations)
        assert ("Last-Event-ID" in read) == path.endswith("/events")
        sent = {
            each["name"]
            for each in operations.get("post", {}).get("parameters", ())
            if each["in"] == "header"
        }
        assert ("If-Match" in sent) == path.endswith(
            ("/commands", "/annotations", "/take-backs", "/agreement", "/refusal")
        )
        keyed = "post" in operations and not path.endswith(
            (
                "/reservations",
                "/tickets",
                "/verifications",
                "/verify",
                "/disable",
                "/redeliver",
                "/branches",
                "/imports",
                "/previews",
                "/expiries",
                "/merge",  # which says the same however often it is sent, as
                "/rematch",  # does this
                # What is asked again here changes nothing, and is answered as before.
                "/players",
                "/start",
                "/seat",
            )
        )
        assert ("Idempotency-Key" in sent) == keyed
    listed = paths()["/v1/games"]["get"]["responses"]
    assert {"ETag", "Cache-Control", "Link"} <= listed["200"]["headers"].keys()
    assert "Retry-After" in listed["default"]["headers"]


def test_the_contract_is_served_as_json_too(api: InProcess) -> None:
    """The same document, for clients without a YAML parser."""
    answer = api.call("GET", "/openapi.json")
    assert answer.headers["content-type"] == "application/json"
    assert answer.json == msgspec.yaml.decode(FILE.read_bytes())


def test_what_is_large_is_packed_for_who_takes_it(api: InProcess) -> None:
    """Another representation with a tag of its own (RFC 9110, 8.8.3.3); who refuses gzip gets the plain one."""
    for path in ("/openapi.yaml", "/openapi.json", "/docs", "/docs/swagger-ui-bundle.js"):
        plain = api.call("GET", path)
        refused = api.call("GET", path, headers={"Accept-Encoding": "gzip;q=0"})
        packed = api.call("GET", path, headers={"Accept-Encoding": "gzip, br"})
        assert "content-encoding" not in {*plain.headers, *refused.headers}
        assert (packed.headers["content-encoding"], packed.headers["vary"]) == ("gzip", "Accept-Encoding")
        assert gzip.decompress(packed.body) == plain.body == refused.body
        assert len(packed.body) < len(plain.body)
        tags = [each.headers["etag"] for each in (plain, refused, packed)]
        assert tags[0] == tags[1] != tags[2]
        known = {"Accept-Encoding": "gzip", "If-None-Match": tags[2]}
        assert api.call("GET", path, headers=known).status == 304
        assert api.call("GET", path, headers={"If-None-Match": tags[2]}).status == 200
    picture = api.call("GET", "/docs/favicon-32x32.png", headers={"Accept-Encoding": "gzip"})
    assert "content-encoding" not in picture.headers


def test_the_contract_is_served(api: InProcess) -> None:
    """Whoever asks the service gets the same file."""
    answer = api.call("GET", "/openapi.yaml")
    assert answer.headers["content-type"].startswith("application/yaml")
    assert answer.body == FILE.read_bytes()
    assert api.call("GET", "/").status == 200
