/**
 * The connection to the host, read and hidden before any code of the project is loaded. Each answer carries a
 * secret that only the host and this module know.
 */
import { readSync, writeSync } from 'node:fs';

const [first] = readLines();
const { word, ...rest } = JSON.parse(first);

/** Which tests to run. */
export const settings = rest;

/** The next request; null once the host has closed its end. Blocks while it waits. */
export function nextRequest() {
  const [line] = readLines();
  return line === undefined ? null : JSON.parse(line);
}

export function answer(value) {
  let data = Buffer.from(`${JSON.stringify({ ...value, word })}\n`);
  while (data.length > 0) data = data.subarray(writeSync(3, data));
}

/** Reads up to a line break: the host sends one line and waits. */
function readLines() {
  const pieces = [];
  const piece = Buffer.alloc(65_536);
  for (;;) {
    const size = readSync(0, piece);
    if (size === 0) return [];
    pieces.push(Buffer.from(piece.subarray(0, size)));
    if (piece[size - 1] === 10) return Buffer.concat(pieces).toString('utf8').trimEnd().split('\n');
  }
}
