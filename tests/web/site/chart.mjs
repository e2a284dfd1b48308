// Draw charts as the page does. Argument: the folder of its modules. Standard input: [[answers, at, width], ...].
// Standard output: of each chart its parts, each the name of the element, its attributes and its text.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const { drawChart } = await import(pathToFileURL(`${process.argv[2]}/views/chart.js`));

const make = (tag, attributes, text = "") => ({ tag, ...attributes, text });
const rules = { draws: true, diagram: { names: Array(16).fill("") } };
const drawn = JSON.parse(readFileSync(0)).map(([answers, at, width]) => drawChart(answers, at, rules, null, width, make));
process.stdout.write(JSON.stringify(drawn));
