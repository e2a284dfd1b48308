"""Engines on one contract, and the searches and learners beneath them."""
