"""The rules engine: pure functions on frozen values. No clock, no dice, no network, no files but the catalogues."""
