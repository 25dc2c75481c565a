"""The rule systems, a room for each: what belongs to one system alone lies together under its name."""
