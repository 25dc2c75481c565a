"""The benchmarks: one module for each, which measures one or more rows of the table."""
