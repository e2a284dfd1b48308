"""The classes, functions and figures of the five course notebooks from which this project grew."""
