#!/usr/bin/env bash
# Gradescope runs this once, on Ubuntu 24.04 as it is chosen there, or on any other with Python 3.11 or newer. The zip of the
# autograder has this file and run_autograder at its root.
set -e
apt-get update
apt-get install -y git python3-pip
# mnk-tablebase is on no package index: give the address of the repository you have it in.
pip install --break-system-packages "git+https://git.example.org/OWNER/mnk-tablebase"
