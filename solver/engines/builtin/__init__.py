"""Engines of this package; each registers itself by name."""
