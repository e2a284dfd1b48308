"""One search algorithm a file; each registers the engines it defines (see `solver.engine`)."""
