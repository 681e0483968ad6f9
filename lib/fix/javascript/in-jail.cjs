'use strict';

/** Loaded into each process of the tests: stands in for what a jail lacks and Node expects. */

const dns = require('node:dns');
const { getHeapStatistics } = require('node:v8');

// There may be no /proc, from which Node reads how much memory it uses; vitest's workers end silently without it.
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

// There may be no /etc/hosts.
const local = { address: '127.0.0.1', family: 4 };
const { lookup } = dns;
const { lookup: lookupAsync } = dns.promises;

dns.lookup = (name, ...rest) => {
  if (name !== 'localhost') return lookup(name, ...rest);
  const [options, callback = options] = rest;
  const addresses = options?.all ? [[local]] : [local.address, local.family];
  process.nextTick(callback, null, ...addresses);
};
dns.promises.lookup = async (name, ...rest) => {
  if (name !== 'localhost') return await lookupAsync(name, ...rest);
  return rest[0]?.all ? [local] : local;
};
