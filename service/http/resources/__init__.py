"""The resources of the API, a module of thin views each; those of a game have a room of their own."""
