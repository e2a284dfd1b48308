"""Write solved games as files that any static host serves, and that a page answers from without a server.

    write_table_files(Path("data/mnk-5-5-4.sqlite"), Path("site/tables"))

is in `tables`; what the files hold stands in the README beside it, and `solver/web/page/js/tables` reads them.
"""
