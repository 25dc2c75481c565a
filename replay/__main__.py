"""`python -m replay`."""

from replay.command_line import replay

if __name__ == "__main__":
    replay(prog_name="python -m replay")
