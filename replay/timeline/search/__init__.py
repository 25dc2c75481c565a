"""Finding entries of a record: by a predicate, or those that touched one card."""
