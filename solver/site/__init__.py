"""Write solved games as a folder that any static host serves, whose page answers without a server.

    write_site([Path("data/mnk-3-3-3.sqlite"), Path("data/mnk-5-5-4.sqlite")], Path("site"))

is in `writing`; what the files hold stands in the README beside it, and `solver/web/page/js/tables` reads them.
"""
