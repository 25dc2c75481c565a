"""The resources of the API, a module of thin views each."""
