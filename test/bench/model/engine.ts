import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { packageFile } from '../../../lib/files/package.ts';
import type { Stream } from './recorded-repairs.ts';

/** A generation loop in a separate process. */
export interface Engine {
  readonly name: string;
  readonly loadSeconds: number;
  answer(stream: Stream): Promise<Measured>;
  /** Ends it, and returns its peak memory. */
  end(): Promise<number>;
}

export interface Measured {
  readonly seconds: number;
  /** Of all threads; hardly affected by other load. */
  readonly cpuSeconds: number;
  /** The same until the first token is known. */
  readonly first: Pick<Measured, 'seconds' | 'cpuSeconds'>;
  /** Forward passes for the whole answer, including the prompt. */
  readonly passes: number;
  /** Tokens that were drafted, and of these accepted, where an engine counts them. */
  readonly drafted?: number;
  readonly accepted?: number;
}

export interface EngineOptions {
  readonly name: string;
  /** A file in `engines`. */
  readonly program: string;
  /** Defaults to Node. */
  readonly command?: string;
  readonly options: Readonly<Record<string, unknown>>;
}

/** Starts a program with the protocol of engines/serve.mjs. Rejects with its stderr if it exits early. */
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
