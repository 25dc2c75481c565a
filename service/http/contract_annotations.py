"""What the contract says of annotations: a schema for each kind, a file for imports."""

from typing import Any

from flask_smorest import Api

from replay.annotations.files import NAME
from service.http.schemas.annotations import KINDS


def describe_annotations(api: Api, paths: dict[str, Any]) -> None:
    """Add the kinds of annotations and the bodies of the requests that write them."""
    spec, names = api.spec, {}
    for kind, schema in KINDS.items():
        name = schema.__name__
        spec.components.schema(name, schema=schema)
        spec.components.schemas[name]["description"] = schema.__doc__
        names[kind] = f"#/components/schemas/{name}"
    spec.components.schema(
        "Annotation",
        {
            "description": "Something to write into a set of annotations.",
            "oneOf": [{"$ref": name} for name in names.values()],
            "discriminator": {"propertyName": "kind", "mapping": names},
        },
    )
    paths["/v1/games/{game}/annotations"]["post"]["requestBody"] = {
        "required": True,
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Annotation"}}},
    }
    file = {"type": "string", "description": f"A file of the format {NAME}, see docs/annotation-format.md."}
    paths["/v1/games/{game}/annotations/imports"]["post"]["requestBody"] = {
        "required": True,
        "content": {"application/x-ndjson": {"schema": file}},
    }
    paths["/v1/games/{game}/annotations/imports"]["post"]["responses"]["409"] = {
        "description": "A set of the file went on differently here.",
        "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/ProblemAnswer"}}},
    }
    answers = paths["/v1/games/{game}/annotations"]["get"]["responses"]["200"]["content"]
    answers["application/x-ndjson"] = {"schema": file}
