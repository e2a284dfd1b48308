"""Offer the classes, functions and figures of the five course notebooks that this project grew out of."""
