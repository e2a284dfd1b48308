"""Building tables: run the kernels level by level, and hand the result to the store."""

from solver.solve.build import build_table, default_metric, existing_table

__all__ = ["build_table", "default_metric", "existing_table"]
