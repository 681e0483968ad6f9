import { hefix } from './cli.ts';

/** Reports the peak of the process's memory as it ends. On Linux, `maxRSS` is inherited from the parent process. */
const probe = `data:text/javascript,${encodeURIComponent(`
  import { readFileSync } from 'node:fs';
  process.on('exit', () => {
    const peak = process.platform === 'linux'
      ? /VmHWM:\\s*(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]
      : process.resourceUsage().maxRSS;
    process.stderr.write('peak memory ' + peak);
  });
`)}`;

const probed = { env: { NODE_OPTIONS: `--import=${probe}` } };

/** Runs the compiled command line, with its peak of resident memory in MiB. */
export async function measured(args: readonly string[]) {
  const { exitCode, stderr } = await hefix(args, probed);
  const text = String(stderr);
  return { exitCode, stderr: text, mebibytes: mebibytesIn(text) };
}

/** Starts the compiled command line. `line`: the first that it prints; `end` interrupts it and gives the peak. */
export function startMeasured(args: readonly string[]) {
  const running = hefix(args, probed);
  const line = new Promise<string>((resolve, reject) => {
    running.stdout?.once('data', text => resolve(String(text).trim()));
    running.then(({ stderr }) => reject(new Error(String(stderr))));
  });
  return {
    line,
    async end() {
      running.kill('SIGINT');
      return mebibytesIn(String((await running).stderr));
    },
  };
}

function mebibytesIn(stderr: string): number {
  return Number(/peak memory (\d+)/.exec(stderr)?.[1]) / 1024;
}
