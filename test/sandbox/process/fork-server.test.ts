import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { detectIsolation } from '../../../lib/sandbox/isolation/isolation.ts';
import { programFiles } from '../../../lib/sandbox/isolation/programs.ts';
import { executionLimits } from '../../../lib/sandbox/process/execution.ts';
import { createPairs, startPrograms } from '../../../lib/sandbox/process/pairs.ts';
import { preparePython } from '../../../lib/sandbox/python/host/python-programs.ts';
import { linux, needs } from '../../support/needs.ts';

const node = process.execPath;
const program = (code: string) => [node, '-e', code];

test.for([
  ['ends', program('process.exit(1)')],
  ['does not exist', ['/none/node']],
  ['ends at the first request', program("require('fs').readSync(0, Buffer.alloc(9))")],
] as const)('programs are started where one that forks itself %s', needs(linux), async ([, forkServer]) => {
  const python = await preparePython();
  const isolation = await detectIsolation({ python: python.executable, files: python.files });
  const files = { readable: programFiles(node), executable: programFiles(node).slice(0, 2), forkServer };
  const limits = executionLimits(10, 4096, 2);
  const batch = { judges: files, candidates: files, isolation, python, limits, atOnce: 2 };
  const pairs = createPairs(() => startPrograms(batch));
  try {
    for (const word of ['one', 'two']) {
      const judge = { argv: program(`require('fs').writeSync(3, 'judge ${word}')`) };
      const pair = pairs.start(judge, { argv: program(`require('fs').writeSync(1, 'candidate ${word}')`) });
      expect(await text(pair.channel)).toBe(`judge ${word}`);
      expect(await pair.candidate.exited).toEqual({ code: 0, signal: null });
      await pair.stdout.ended(10_000);
      expect(pair.stdout.text()).toBe(`candidate ${word}`);
      await pair.destroy();
    }
  } finally {
    await pairs.close();
  }
});
