import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

/**
 * The protocol of the benchmark's engines, one JSON value per line. An engine first reports its loading time.
 * It then receives a request, its prompt and the forced answer, and reports its wall-clock time and processor time,
 * those until the first token, and what it counted: passes, drafted and accepted tokens. At the end it reports its
 * peak memory.
 */
export async function serve(load) {
  const say = value => process.stdout.write(`${JSON.stringify(value)}\n`);
  const loadStarted = performance.now();
  const generate = await load(JSON.parse(process.argv[2]));
  say({ loadSeconds: (performance.now() - loadStarted) / 1000 });
  for await (const line of createInterface({ input: process.stdin })) {
    const { prompt, answer, request } = JSON.parse(line);
    const started = performance.now();
    const startedCpu = process.cpuUsage();
    const elapsed = () => {
      const { user, system } = process.cpuUsage(startedCpu);
      return { seconds: (performance.now() - started) / 1000, cpuSeconds: (user + system) / 1e6 };
    };
    let first;
    const counts = await generate(prompt, answer, request, () => {
      first ??= elapsed();
    });
    say({ ...elapsed(), first, ...counts });
  }
  say({ peakMiB: peakKibibytes() / 1024 });
  process.exit(0);
}

/** On Linux, a process inherits `maxRSS` from the one that started it. */
function peakKibibytes() {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS;
  return Number(/VmHWM:\s*(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
}
