"""Build tables: plan a build, solve its levels with the kernels, and write the pages to the store."""

from solver.solve.build import (
    build_address,
    build_table,
    default_metric,
    existing_table,
    is_unfinished,
    opening_plies,
    require_possible,
)

__all__ = [
    "build_address",
    "build_table",
    "default_metric",
    "existing_table",
    "is_unfinished",
    "opening_plies",
    "require_possible",
]
