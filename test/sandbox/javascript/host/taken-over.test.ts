import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { packageFile } from '../../../../lib/files/package.ts';
import type { Jail } from '../../../../lib/sandbox/isolation/jail.ts';
import { sendJob } from '../../../../lib/sandbox/javascript/host/job.ts';
import { prepareTests } from '../../../../lib/sandbox/javascript/tests/prepare-tests.ts';
import { taskHelpers } from '../../../../lib/sandbox/javascript/tests/task-helpers.ts';
import { type Command, localCandidates, pairOf, singleJudge } from '../../../../lib/sandbox/process/pairs.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/**
 * A process of the candidate that was taken over: it answers every call with an empty list, but first it sends what it
 * was told to.
 */
const program = (messages: readonly (unknown | string)[]) => `
  import { openLine } from ${JSON.stringify(String(pathToFileURL(packageFile('dist/lib/sandbox/javascript/host/line.js'))))};
  const line = openLine(0, 2 ** 30);
  const say = message => line.write(typeof message === 'string' ? message : JSON.stringify(message));
  const hear = line.read;
  say({ op: 'ready' });
  hear();
  say(['loaded', true, 'nothing']);
  while (hear() !== null) {
    for (const message of ${JSON.stringify(messages)}) say(message);
    say(['returned', [[[1]], [['a', 0, [], 0, 0]], []]]);
  }`;

/** Tests in which a candidate that gives an empty list would pass if one assertion were counted or replaced. */
const tests = 'for (const x of f(3)) console.assert(x === 9);';

const forged: Readonly<Record<string, readonly (unknown | string)[]>> = {
  'a question': [{ op: 'call', method: 'assert', args: [true] }],
  'a print': [{ op: 'print', method: 'assert', graph: { roots: [true], rows: [] } }],
  'that it is loaded again': [['loaded', true, 'named']],
  'a promise for tests that await none': [['fulfilled', [[9], [], []]]],
  'an iterator without its values': [['iterated', null, 'ended', null]],
  'a change of an object of the tests': [['returned', [[9], [], [[3, ['a', 0, [9], 0, 0]]]]]],
  'a list whose length is a text': [['returned', [[[0]], [['a', 0, { length: 'x' }, 0, 0]], []]]],
  'two results at once': [['returned', [[9, 9], [], []]]],
  'that the tests need one process': [{ kind: 'isolate', why: 'x' }],
  'that isolated-vm is missing': ['{"op":"no isolated-vm","why":"not there"}'],
  'a report': [{ kind: 'verdict', verdict: { kind: 'passed', message: 'All tests passed.' } }],
  'what is no JSON': ['{'],
  'an empty message': [''],
  nothing: [],
};

test.for(Object.entries(forged))(
  'a process that was taken over cannot pass by sending %s',
  async ([, messages]) => {
    const folder = await temporaryFolder();
    const path = join(folder, 'candidate.mjs');
    await writeFile(path, program(messages));
    const jail = ({ argv }: Command): Jail => ({
      file: process.execPath,
      args: [...argv],
      env: {},
      cwd: folder,
      release: async () => {},
    });
    const judge = packageFile('dist/lib/sandbox/javascript/host/judge-host.cjs');
    const started = singleJudge(jail).start({ argv: [judge] });
    if (!started) throw new Error('no judge');
    const pair = pairOf(started, localCandidates(jail).start(started, { argv: [path] }));
    try {
      const helpers = taskHelpers('', 'f');
      const { report } = sendJob(pair, {
        candidate: '',
        entryPoint: 'f',
        tests: prepareTests(tests, 'f', helpers),
        helpers,
        seed: '0'.repeat(64),
      });
      // A verdict against the candidate: never a fault of the sandbox or of the tests.
      expect(await report).toMatchObject({
        kind: 'verdict',
        verdict: { kind: expect.not.stringMatching('passed') },
      });
    } finally {
      await pair.destroy();
    }
  },
);
