"""The shapes of requests and answers: what marshmallow checks and `openapi.yaml` is generated from."""
