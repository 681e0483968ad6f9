import { hefix } from './cli.ts';

/** Reports the peak of the process's memory as it ends. */
const probe = `data:text/javascript,${encodeURIComponent(
  "process.on('exit',()=>process.stderr.write('maxRSS '+process.resourceUsage().maxRSS))",
)}`;

/** Runs the compiled command line, with its peak of resident memory in MiB. */
export async function measured(args: readonly string[]) {
  const { exitCode, stderr } = await hefix(args, { env: { NODE_OPTIONS: `--import=${probe}` } });
  const text = String(stderr);
  return { exitCode, stderr: text, mebibytes: Number(/maxRSS (\d+)/.exec(text)?.[1]) / 1024 };
}
