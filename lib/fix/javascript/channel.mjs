/**
 * The connection to the host. Its first line is read before any code of the project is loaded: it has a secret that only
 * the host and this module know, and that each answer carries.
 */
import { readSync, writeSync } from 'node:fs';

const PAUSE = new Int32Array(new SharedArrayBuffer(4));

/** Lines that were read and not used yet. */
const waiting = [];
const { word, ...rest } = JSON.parse(nextLine());

/** Which tests to run. */
export const settings = rest;

/** The next request; null once the host has closed its end. Blocks while it waits. */
export function nextRequest() {
  const line = nextLine();
  return line === undefined ? null : JSON.parse(line);
}

export function answer(value) {
  let data = Buffer.from(`${JSON.stringify({ ...value, word })}\n`);
  while (data.length > 0) data = data.subarray(writeSync(3, data));
}

/** Undefined at the end. */
function nextLine() {
  if (waiting.length === 0) waiting.push(...readLines());
  return waiting.shift();
}

/** Reads whole lines, a piece at a time. */
function readLines() {
  const pieces = [];
  const piece = Buffer.alloc(65_536);
  for (;;) {
    const size = readPiece(piece);
    if (size === 0) return [];
    pieces.push(Buffer.from(piece.subarray(0, size)));
    if (piece[size - 1] === 10) return Buffer.concat(pieces).toString('utf8').trimEnd().split('\n');
  }
}

/** Blocks, even if a framework has made standard input non-blocking. */
function readPiece(piece) {
  for (;;) {
    try {
      return readSync(0, piece);
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
      Atomics.wait(PAUSE, 0, 0, 2);
    }
  }
}
