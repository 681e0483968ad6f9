'use strict';

/**
 * Called by instrumented code at each statement: records the line and stops code that runs too long. CommonJS, which
 * jest loads as well.
 */

class TimeUp extends Error {
  name = 'TimeUp';
}

// biome-ignore lint/style/useNodejsImportProtocol: older versions of jest do not know it, and not all have the global
const { performance } = require('perf_hooks');

const now = performance.now.bind(performance);
const running = [];
let deadline = Number.POSITIVE_INFINITY;
let seconds = 0;
let count = 0;
let isUp = false;

/** Project code may get hold of this function, but can only be timed by it. */
function installTrace() {
  Object.defineProperty(globalThis, '__hefix', { value: hit, enumerable: false, writable: false });
}

function hit(place) {
  for (const lines of running) lines.add(place);
  if (!isUp && (++count & 1023) !== 0) return;
  isUp = now() > deadline;
  if (isUp) throw new TimeUp(`took longer than ${seconds} s`);
}

function begin(limit) {
  seconds = limit;
  isUp = false;
  deadline = now() + limit * 1000;
  const lines = new Set();
  running.push(lines);
  return lines;
}

function end() {
  deadline = Number.POSITIVE_INFINITY;
  isUp = false;
  return running.pop();
}

module.exports = { installTrace, begin, end };
