'use strict';

/** A jail has no /proc, from which Node reads how much memory it uses; vitest's workers end silently without it. */

const { getHeapStatistics } = require('node:v8');

const { memoryUsage } = process;

process.memoryUsage = Object.assign(
  () => {
    try {
      return memoryUsage();
    } catch {
      const {
        total_physical_size: rss,
        total_heap_size: heapTotal,
        used_heap_size: heapUsed,
      } = getHeapStatistics();
      return { rss, heapTotal, heapUsed, external: 0, arrayBuffers: 0 };
    }
  },
  { rss: () => process.memoryUsage().rss },
);
