import { createInterface } from 'node:readline';

/**
 * What every engine of the benchmark says and is told, a line of JSON each. First it says how long it took to load.
 * Then it is told a prompt and the answer that is forced on it, and says how long that took, by the clock and in
 * processor time, and how many passes it needed. In the end it says how much memory it took at most.
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
    const passes = await generate(prompt, answer, request);
    const { user, system } = process.cpuUsage(startedCpu);
    say({ seconds: (performance.now() - started) / 1000, cpuSeconds: (user + system) / 1e6, passes });
  }
  say({ peakMiB: process.resourceUsage().maxRSS / 1024 });
  process.exit(0);
}
