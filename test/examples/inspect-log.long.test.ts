import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { packageFile } from '../../lib/files/package.ts';
import { hefixHere } from '../support/cli.ts';
import { type Need, needs } from '../support/needs.ts';
import { smallRun } from '../support/small-run.ts';

/** A Python with inspect_ai installed. */
const python = process.env.INSPECT_PYTHON ?? 'python3';
const { exitCode } = await execa(python, ['-c', 'import inspect_ai'], { reject: false });
const inspect: Need = {
  what: 'inspect_ai (set INSPECT_PYTHON to a Python that has it)',
  isThere: exitCode === 0,
};

const reading = `
import json, sys
from inspect_ai.log import read_eval_log
log = read_eval_log(sys.argv[1])
print(json.dumps({
    "status": log.status, "model": log.eval.model, "accuracy": log.results.scores[0].metrics["accuracy"].value,
    "samples": [[s.id, s.epoch, s.scores["hefix"].value, len(s.messages)] for s in log.samples]}))
`;

test('Inspect reads the log with samples, scores and messages', needs(inspect), async () => {
  const { args, out, folder } = await smallRun(2);
  await hefixHere([...args, '--quiet', '--out', out]);
  const log = join(folder, 'r.eval');
  await execa(python, [packageFile('examples/inspect_log.py'), out, log]);
  const { stdout } = await execa(python, ['-c', reading, log]);
  expect(JSON.parse(stdout)).toEqual({
    status: 'success',
    model: 'script.jsonl',
    accuracy: 1,
    // Two prompts of 2 and 4 messages, each with an answer.
    samples: [
      ['small/0', 1, 'C', 8],
      ['small/1', 1, 'C', 8],
    ],
  });
});
