"""Engines of this package, one a module; each registers itself by name."""
