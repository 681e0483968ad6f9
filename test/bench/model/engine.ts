import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { packageFile } from '../../../lib/files/package-root.ts';
import type { Stream } from './recorded-repairs.ts';

/** A generation loop in a process of its own. */
export interface Engine {
  readonly name: string;
  readonly loadSeconds: number;
  answer(stream: Stream): Promise<Measured>;
  /** Ends it; the most memory that it had. */
  end(): Promise<number>;
}

export interface Measured {
  readonly seconds: number;
  /** Of all threads; other work on the machine hardly changes it. */
  readonly cpuSeconds: number;
  /** Passes over the model for the whole answer, that over the prompt among them. */
  readonly passes: number;
}

export interface EngineOptions {
  readonly name: string;
  /** Among `engines`. */
  readonly program: string;
  /** Node unless given. */
  readonly command?: string;
  readonly options: Readonly<Record<string, unknown>>;
}

/** Starts a program that speaks as engines/serve.mjs does. Rejects with what it said to stderr if it ends unasked. */
export async function startEngine({
  name,
  program,
  command = process.execPath,
  options,
}: EngineOptions): Promise<Engine> {
  const path = packageFile(`test/bench/model/engines/${program}`);
  const child = spawn(command, [path, JSON.stringify(options)], { stdio: ['pipe', 'pipe', 'pipe'] });
  let complaints = '';
  child.stderr.on('data', data => {
    complaints = `${complaints}${data}`.slice(-2000);
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async <Reply>(): Promise<Reply> => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${name} ended: ${complaints}`);
    return JSON.parse(value);
  };
  const { loadSeconds } = await next<{ loadSeconds: number }>();
  return {
    name,
    loadSeconds,
    async answer(stream) {
      child.stdin.write(`${JSON.stringify(stream)}\n`);
      return await next<Measured>();
    },
    async end() {
      child.stdin.end();
      return (await next<{ peakMiB: number }>()).peakMiB;
    },
  };
}
