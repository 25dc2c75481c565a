"""The seats that bots play, through the same path as everybody's commands."""
