"""The kinds of engines that can be put under test; `open.open_engine` tells them apart."""
