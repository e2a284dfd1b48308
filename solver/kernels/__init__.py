"""The compiled loops: integers and arrays in, integers and arrays out. Nothing of the package above is imported here."""
