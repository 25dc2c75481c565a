"""What several operations say in the same words is described once, and referred to: the contract is half as long."""

from collections import Counter
from collections.abc import Callable, Iterable, MutableMapping, MutableSequence
from copy import deepcopy
from http import HTTPStatus
from typing import Any, Final

import msgspec

Described = dict[str, Any]
_SHORT: Final = 90
"""Bytes of a member of a schema that are no more than a reference takes."""


def share(document: Described) -> Described:
    """The same document, with answers and parameters that occur more than once among the components."""
    shared = deepcopy(document)
    paths = shared["paths"].values()
    webhooks = shared["webhooks"].values()
    operations = [each for path in (*paths, *webhooks) for each in path.values() if isinstance(each, dict)]
    parameters = [each["parameters"] for each in (*paths, *operations) if "parameters" in each]
    members = [
        each["properties"] for each in shared["components"]["schemas"].values() if "properties" in each
    ]
    _share(shared, "schemas", members, _member_name)
    links = [
        answer["links"] for each in operations for answer in each["responses"].values() if "links" in answer
    ]
    _share(shared, "links", links, lambda name, link: _camel(f"{name}_by_{link['operationId']}"))
    _share(shared, "responses", [each["responses"] for each in operations], response_name)
    _share(shared, "parameters", parameters, lambda _place, parameter: _camel(parameter["name"]))
    return shared


def response_name(status: str, response: Described) -> str:
    """Return the name of a shared response: that of its schema, `NotModified`, or none, which leaves it in place."""
    if int(status) == HTTPStatus.NOT_MODIFIED:
        return "NotModified"
    schema = response.get("content", {}).get("application/json", {}).get("schema", {})
    return str(schema.get("$ref", "")).rpartition("/")[2]


def _member_name(name: str, member: Described) -> str:
    """What a member is called that several schemas describe; short ones are said again."""
    return f"{_camel(name)}Member" if len(msgspec.json.encode(member)) > _SHORT else ""


def _share(
    document: Described,
    kind: str,
    holders: Iterable[MutableMapping[str, Described] | MutableSequence[Described]],
    name_of: Callable[[Any, Described], str],
) -> None:
    """Put what occurs in several holders among the components of a kind; the most frequent of a name has it."""
    places = [
        (holder, place, each)
        for holder in holders
        for place, each in (holder.items() if isinstance(holder, MutableMapping) else enumerate(holder))
        if "$ref" not in each
    ]
    components: Described = document["components"].setdefault(kind, {})
    written = [msgspec.json.encode(each, order="sorted") for _, _, each in places]
    often = Counter(written)
    names: dict[bytes, str] = {}
    for text, (_, place, each) in sorted(
        zip(written, places, strict=True), key=lambda pair: (-often[pair[0]], pair[0])
    ):
        name = name_of(place, each)
        is_shared = name and often[text] > 1
        if is_shared and text not in names and name not in components:
            names[text], components[name] = name, each
    for text, (holder, place, _) in zip(written, places, strict=True):
        if text in names:
            holder[place] = {"$ref": f"#/components/{kind}/{names[text]}"}  # type: ignore[index]


def _camel(words: str) -> str:
    return "".join(word[:1].upper() + word[1:] for word in words.replace("-", "_").split("_"))
