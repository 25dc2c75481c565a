"""How soon the screens find colluders of a known strength, and how often they accuse honest players."""
