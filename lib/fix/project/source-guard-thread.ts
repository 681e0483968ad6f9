import { parentPort, workerData } from 'node:worker_threads';
import treeSitter from '@vscode/tree-sitter-wasm';
import { stopAfter } from '../../syntax/parser.ts';
import { repairableIn } from '../localise/constants.ts';
import { excessIn } from '../localise/excess.ts';
import { readSource } from '../patch/source-file.ts';
import { instrumented } from '../runners/instrumented.ts';
import { openSourceParser, type SourceGrammar } from './source-parser.ts';

/** The thread that reads source files before the main one does; started by source-guard.ts, never imported. */

export interface GuardData {
  readonly grammar: SourceGrammar;
  readonly memoryMiB: number;
  /** Limit on what the main thread does with a file at a time. */
  readonly limitMs: number;
}

export interface ReadRequest {
  readonly path: string;
  readonly text: string;
}

export interface ReadReply {
  readonly isLate: boolean;
  /** Null if the text does not parse, or is Python. */
  readonly instrumented: string | null;
}

async function main({ grammar, memoryMiB, limitMs }: GuardData): Promise<void> {
  await limitMemory(memoryMiB);
  const parser = await openSourceParser(grammar);
  parentPort?.on('message', ({ path, text }: ReadRequest) => {
    const isLate = stopAfter(limitMs);
    const file = readSource(path, Buffer.from(text));
    excessIn(parser, file);
    repairableIn(parser, file);
    const isRead = !isLate();
    const isLateAgain = stopAfter(limitMs);
    const code = grammar === 'python' || !isRead ? null : instrumented(parser, path, text);
    parentPort?.postMessage({
      isLate: !isRead || isLateAgain(),
      instrumented: code,
    } satisfies ReadReply);
  });
  parentPort?.postMessage('ready');
}

/** Limits the memory of tree-sitter, which is not part of the thread's heap. */
async function limitMemory(mebibytes: number): Promise<void> {
  const pages = mebibytes * 16;
  const options = { wasmMemory: new WebAssembly.Memory({ initial: pages / 4, maximum: pages }) };
  await treeSitter.Parser.init(options as never);
}

await main(workerData as GuardData);
