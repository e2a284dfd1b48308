"""The five course notebooks from which this project grew: their classes, their functions and the numbers they print."""
