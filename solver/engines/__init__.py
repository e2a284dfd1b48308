"""Engines with a common interface, and the searches and learners that they use."""
