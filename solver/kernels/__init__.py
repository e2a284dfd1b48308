"""The compiled loops: integers and arrays in, integers and arrays out. They import nothing of the package above."""
