"""The engines under test are programs of their own, not modules with doctests."""

collect_ignore = ["agents"]
