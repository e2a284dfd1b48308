"""Write the page and some tables as a folder for any static host; the README beside this file describes it."""
