"""What the five course notebooks did that this project grew out of: their classes, functions and figures."""
