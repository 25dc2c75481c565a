"""How fast Fieldbook is, beside what a user would pick instead: `fieldbook bench`."""
