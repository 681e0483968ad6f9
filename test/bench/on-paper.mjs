import { writeFile } from 'node:fs/promises';
import { parse, View } from 'vega';
import { compile } from 'vega-lite';

/**
 * Draws `fixtures/pictures/on-paper.svg`: what 10 million units need, computed from the figures of
 * `npm run bench:queue` and, for records with prompts and completions, of `npm run bench:results`.
 * `node test/bench/on-paper.mjs`
 */
const units = 10_000_000;

/** Bytes a unit. */
const measured = {
  'Redis, one unit in a job': 856,
  'Redis, 64 units in a job': 59,
  'traffic of Redis, one unit in a job': 1985,
  'traffic of Redis, 64 units in a job': 273,
  'records, uncompressed': 2200,
};

const values = Object.entries(measured).map(([what, bytes]) => {
  const gigabytes = (bytes * units) / 1e9;
  return { what, gigabytes, label: `${gigabytes.toPrecision(2)} GB` };
});
const x = { field: 'gigabytes', type: 'quantitative', axis: null };
const y = {
  field: 'what',
  type: 'nominal',
  sort: null,
  title: null,
  axis: { labelLimit: 400, domain: false, ticks: false },
};
const { spec } = compile({
  width: 320,
  height: { step: 28 },
  background: 'white',
  data: { values },
  config: { view: { stroke: null }, font: 'sans-serif' },
  layer: [
    { mark: { type: 'bar', color: '#3b6fb6', height: 16 }, encoding: { x, y } },
    { mark: { type: 'text', align: 'left', dx: 6 }, encoding: { x, y, text: { field: 'label' } } },
  ],
});
await writeFile('fixtures/pictures/on-paper.svg', `${await new View(parse(spec)).toSVG()}\n`);
