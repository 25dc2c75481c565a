"""Finished games as typed tables in Parquet files, which are added to and never replaced: docs/dataset.md."""
