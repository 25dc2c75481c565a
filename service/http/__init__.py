"""The HTTP interface: one module per resource, thin views, one shape for every error."""
