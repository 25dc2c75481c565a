"""A branch as it is kept: in a token, or as recordings that can be played on from."""
