"""`check_table` passes every right table and finds whatever is wrong with one."""
