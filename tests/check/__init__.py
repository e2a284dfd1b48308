"""`check_table` passes every correct table and finds every fault."""
