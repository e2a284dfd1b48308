"""Build a table in shards, pieces of levels that lie in a store, on this machine or on a cluster."""
