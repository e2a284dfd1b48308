"""How pieces of large files come from hosts that send none: what is asked for, and what stays in memory."""

import json
import subprocess
from pathlib import Path

from playwright._impl._driver import compute_driver_executable

PROGRAM = """
const { Source } = await import(process.argv[1]);
const size = 16_000_000;
const asked = [];
const get = async (address) => { asked.push(address); return new Response(new Uint8Array(size).fill(asked.length)); };
const parts = Array.from({ length: 12 }, (_, part) => `mark-${part}.bin`);
const source = new Source("base/", { bytes: parts.length * size, part_size: size, parts }, get);
const found = [];
for (let part = 0; part < parts.length; part++) found.push((await source.read(part * size, part * size + 1))[0]);
await source.read(11 * size + 5, 11 * size + 9);
const held = source.wholes.size;
await source.read(0, 1);
console.log(JSON.stringify({ found, held, asked: asked.length }));
"""


def test_parts_that_are_fetched_whole_leave_the_memory_again(modules: Path) -> None:
    node = compute_driver_executable()[0]
    source = (modules / "tables" / "source.js").as_uri()
    command = [node, "--input-type=module", "-e", PROGRAM, source]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == {"found": [*range(1, 13)], "held": 8, "asked": 13}
