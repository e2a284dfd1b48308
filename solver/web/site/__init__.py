"""Write the page and some tables as a folder for any static host; the page needs no API.

    write_site([Path("data/mnk-3-3-3.sqlite"), Path("data/mnk-5-5-4.sqlite")], Path("site"))

The function is in `writing`. The README beside this file describes the folder; `solver/web/page/js/tables` reads it in
the browser.
"""
