#!/usr/bin/env bash
# Gradescope runs this once, on Ubuntu 24.04 or any other system with Python 3.11 or newer. The zip of the autograder has this
# file and run_autograder at its root. If bubblewrap may not make a sandbox there, submissions get a message to the teacher
# instead of a score; then remove `--sandbox` from run_autograder.
set -e
apt-get update
apt-get install -y bubblewrap git python3-pip
# mnk-tablebase is on no package index: give the address of the repository you have it in.
pip install --break-system-packages "git+https://git.example.org/OWNER/mnk-tablebase"
