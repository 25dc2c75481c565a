"""How schemas say what their members mean: the contract has it, and the reference page shows it."""


def means(text: str) -> dict[str, str]:
    """The metadata of a field that means this."""
    return {"description": text}
