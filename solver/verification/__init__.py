"""Grade engines, and somebody's tables, against the truth: where they go wrong, how badly, and how to beat them.

`verify.verify` asks an engine (an `EngineUnderTest` of `contract`, whatever its conventions), judges its answers
(`grade`, `refutation`, `helpers`, `stated_values`), keeps the `findings`, and gives a `Report` of them, which `formats`
write. `verify_table.verify_table` compares a table. The README beside this file tells the whole.
"""
