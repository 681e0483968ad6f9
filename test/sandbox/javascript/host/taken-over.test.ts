import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { packageFile } from '../../../../lib/files/package-root.ts';
import type { Jail } from '../../../../lib/sandbox/isolation/jail.ts';
import { sendJob } from '../../../../lib/sandbox/javascript/host/job.ts';
import { prepareTests } from '../../../../lib/sandbox/javascript/tests/prepare-tests.ts';
import { type Command, localCandidates, singleJudge } from '../../../../lib/sandbox/process/judges.ts';
import { pairOf } from '../../../../lib/sandbox/process/pairs.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/**
 * A process of the candidate that was taken over: it answers every call with an empty list, but first it sends what it
 * was told to.
 */
const program = (messages: readonly (object | string)[]) => `
  import { readFrame, writeFrame } from ${JSON.stringify(String(pathToFileURL(packageFile('dist/lib/sandbox/process/frames.js'))))};
  const say = message => writeFrame(0, typeof message === 'string' ? message : JSON.stringify(message));
  const hear = () => readFrame(0, 2 ** 30);
  const answer = (root, rows = []) => ({ op: 'answer', ok: true, graph: { roots: [root], rows } });
  say({ op: 'ready' });
  hear();
  say({ op: 'loaded', names: ['f'] });
  for (let text = hear(); text !== null; text = hear()) {
    const { op } = JSON.parse(text);
    if (op === 'name') {
      const own = [['builtin', '%Function.prototype%'], 0, ['mark']];
      say(answer(['mine', 0], [['mine', 0, 'function', ['f', 1, false], own]]));
      continue;
    }
    if (op !== 'call') { say(answer(0)); continue; }
    for (const message of ${JSON.stringify(messages)}) { say(message); hear(); }
    const empty = [['builtin', 'Array.prototype'], 0, 0, ['mark']];
    say(answer(['mine', 1], [['mine', 1, 'array', [], empty]]));
  }`;

/** Tests in which a candidate that gives an empty list would pass if one assertion were counted or replaced. */
const tests = 'for (const x of f(3)) console.assert(x === 9);';

const graph = (...roots: unknown[]) => ({ roots, rows: [] });
const print = (method: unknown, ...roots: unknown[]) => ({ op: 'print', method, graph: graph(...roots) });

const forged: Readonly<Record<string, readonly (object | string)[]>> = {
  'a print that asserts': [print('assert', true)],
  'a print that replaces console.assert': [print('__defineGetter__', 'assert', ['mine', 0])],
  'a print that looks for a way into the judge': [print('constructor', 'return process')],
  'a print by no name': [print(null, true)],
  'news of a promise that is none': [{ ...print('log', 1), settled: [{ id: 0, ok: true }] }],
  'a patch of the judge': [{ op: 'patch', graph: graph('Math.random', 1) }],
  'a question for the names of the tests': [{ op: 'name', name: 'assert' }],
  'a call of what was never given': [{ op: 'call', id: 0, construct: false, graph: graph(null, null) }],
  'that it is loaded again': [{ op: 'loaded', names: ['assert', 'console'] }],
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
      const helpers = { program: '', names: [] };
      const { report } = sendJob(pair, {
        candidate: '',
        entryPoint: 'f',
        tests: prepareTests(tests, 'f'),
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
