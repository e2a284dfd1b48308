"""`python -m solver` is the command `mnk`."""

from solver.cli import main

if __name__ == "__main__":
    main(prog_name="mnk")
