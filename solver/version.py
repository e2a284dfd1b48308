"""The version of the package, which tables and checkpoints name as their builder."""

__version__ = "0.1.0"
