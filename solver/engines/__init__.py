"""Engines with one interface, and the searches and learners that they use."""
