"""Build tables: plan a build, solve its levels with the kernels, and write the pages to the store."""
