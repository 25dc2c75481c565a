"""Links from a page to others (RFC 8288): where the list begins, goes on, went before, and what describes it."""

from urllib.parse import urlencode

from flask import request

CONTRACT = "/openapi.yaml"
"""Where the contract is served, which describes every answer."""


def link_header(**pages: str | None) -> dict[str, str]:
    """The header `Link` with the pages that there are, by their relations, and the contract."""
    links = [f'<{page}>; rel="{relation}"' for relation, page in pages.items() if page is not None]
    return {"Link": ", ".join((*links, f'<{CONTRACT}>; rel="describedby"; type="application/yaml"'))}


def link_pages(parameter: str, following: str | None) -> dict[str, str]:
    """The header `Link` of a list whose pages go on with what stands in this parameter."""
    following_page = same_with(**{parameter: following}) if following is not None else None
    return link_header(first=same_with(**{parameter: None}), next=following_page)


def same_with(**changed: str | int | None) -> str:
    """The address that was asked for, with these query parameters changed; None leaves one out."""
    asked = {**request.args.to_dict(), **changed}
    query = urlencode({name: value for name, value in asked.items() if value is not None})
    return f"{request.path}?{query}" if query else request.path
