"""The catalogues that this installation knows, by content hash."""

from functools import cache

from events.rules.catalogues.catalogue import SHIPPED, Catalogue, CatalogueInvalid, shipped_catalogue


@cache
def installed_catalogue(content_hash: str) -> Catalogue:
    """The catalogue with this content.

    Raises:
        CatalogueInvalid: none of those installed has it.
    """
    for name in SHIPPED:
        if shipped_catalogue(name).hash() == content_hash:
            return shipped_catalogue(name)
    raise CatalogueInvalid(f"no installed catalogue has the content hash {content_hash}")
