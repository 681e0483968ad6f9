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
const cpuUsage = process.cpuUsage.bind(process);
/** What has begun and not ended; the limits of the last hold. */
const running = [];
let limits = { seconds: Number.POSITIVE_INFINITY, cpuSeconds: null, stops: false };
let hasOverrun = false;
let count = 0;
let isUp = false;

/** Project code may call this function, but not replace it. */
function installTrace() {
  Object.defineProperty(globalThis, '__hefix', { value: hit, enumerable: false, writable: false });
}

function hit(place) {
  for (const { lines } of running) lines.add(place);
  if (!isUp && (++count & 1023) !== 0) return;
  const over = overrunOf(running[running.length - 1]);
  isUp = over !== null;
  hasOverrun = hasOverrun || isUp;
  if (over !== null) throw new TimeUp(over);
}

/** Which limit a run has exceeded; null for none. */
function overrunOf(run) {
  if (!run) return null;
  if (run.deadline === null) return 'not run, because another test takes too long';
  if (now() > run.deadline) return `took longer than ${limits.seconds} s`;
  const isOver = run.cpuDeadline !== null && cpuSeconds() > run.cpuDeadline;
  return isOver ? `took longer than ${limits.cpuSeconds} s of processor time` : null;
}

/**
 * Sets the limits of each test of the next run: wall-clock and processor seconds (null for any), and whether a test
 * that takes longer ends the run.
 */
function limit(next) {
  limits = next;
  hasOverrun = false;
}

function begin() {
  const { seconds, cpuSeconds: cpuLimit, stops } = limits;
  isUp = stops && hasOverrun;
  const run = {
    lines: new Set(),
    deadline: isUp ? null : now() + seconds * 1000,
    cpuDeadline: cpuLimit === null ? null : cpuSeconds() + cpuLimit,
  };
  running.push(run);
  return run;
}

/** The lines of a run, by default of the last that began. A test may begin before the file that it is in is loaded. */
function end(run = running[running.length - 1]) {
  isUp = false;
  const place = running.indexOf(run);
  if (place !== -1) running.splice(place, 1);
  return run ? run.lines : undefined;
}

/** Of all threads; unlike the wall-clock time, without those of other processes. */
function cpuSeconds() {
  const { user, system } = cpuUsage();
  return (user + system) / 1e6;
}

module.exports = { installTrace, limit, begin, end };
