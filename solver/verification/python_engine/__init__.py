"""A Python engine inside a process of its own: its code is found, loaded, called, and what it returns is read."""
