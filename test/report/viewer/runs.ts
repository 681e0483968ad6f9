import { writeFile } from 'node:fs/promises';
import type { Attempt } from '../../../lib/core/attempt.ts';
import type { RunRecord } from '../../../lib/core/record.ts';
import { bugTypes } from '../../../lib/core/task.ts';
import { parseRunOptions } from '../../../lib/options/tables/run-options.ts';
import { manifestFormat, manifestPath, writeManifest } from '../../../lib/report/results/manifest.ts';
import { recordWith } from '../../run/fakes.ts';

/** Results files as runs write them, with records of every outcome. */

export interface WrittenRun {
  readonly model: string;
  readonly started: string;
  readonly agent: string;
  readonly dataset: string;
  readonly fingerprint: string;
  readonly planned: number;
}

export async function writeRun(
  path: string,
  records: readonly RunRecord[],
  { model = 'small', started = '2026-01-02T03:04:05Z', agent = 'reflect', ...rest }: Partial<WrittenRun> = {},
): Promise<string> {
  const { dataset = 'words', fingerprint = `sha256:${dataset}`, planned } = rest;
  await writeFile(path, records.map(lineOf).join(''));
  await writeManifest(manifestPath(path), {
    format: manifestFormat,
    model: { name: model, fingerprint: `sha256:${model}` },
    dataset: { name: dataset, fingerprint },
    options: parseRunOptions({ agent, ...(rest.dataset === undefined ? {} : { dataset }) }),
    ...(planned === undefined ? {} : { planned }),
    prompts: 'sha256:prompts',
    isolation: 'bubblewrap',
    versions: { hefix: '0.0.0' },
    host: { platform: 'linux-x64', cpu: 'some', cores: 2, memory_mib: 4096 },
    sessions: [{ started, ended: null }],
  });
  return path;
}

export function lineOf(record: RunRecord): string {
  return `${JSON.stringify(record)}\n`;
}

/** Each task so many times; the number determines whether and after how many repairs it is solved. */
export function recordsOf(tasks: number, samples: number, skill = 2): RunRecord[] {
  return Array.from({ length: tasks * samples }, (_, place) =>
    recordOf(Math.floor(place / samples), place % samples, skill),
  );
}

/** With a higher `skill`, more are solved. */
export function recordOf(task: number, sample: number, skill = 2): RunRecord {
  const luck = (task * 7 + sample * 3 + skill * 5) % 11;
  const repairs = luck < skill + 1 ? 0 : luck < skill + 4 ? 1 + (luck % 2) : 3;
  const passed = luck < skill + 4;
  const attempts = Array.from({ length: repairs + 1 }, (_, iteration) =>
    attemptOf(task, iteration, passed && iteration === repairs),
  );
  const path = attempts.flatMap(({ node }, place) =>
    place === repairs
      ? [node, 'examine', 'execute', passed ? 'solved' : 'iterate']
      : [node, 'examine', 'execute', 'iterate'],
  );
  const last = attempts.at(-1);
  return recordWith({
    task_id: `words/${task}`,
    index: task,
    sample,
    entry_point: `longest_word_${task}`,
    bug_type: bugTypes[task % bugTypes.length] ?? null,
    passed,
    verdict: last?.verdict ?? null,
    iters: repairs,
    runtime_sec: 0.8 + repairs * 1.3 + (task % 5) * 0.21,
    timings_sec: { proposal: 0.6, execution: 0.2 * (repairs + 1), reflection: repairs * 1.1 },
    token_usage: {
      prompt: 310 * (repairs + 1) + task,
      completion: 64 * (repairs + 1),
      nodes: { draft: { prompt: 310, completion: 64 } },
    },
    buggy: buggy(task),
    fixed: last?.candidate ?? null,
    attempts,
    path: passed ? path : [...path, 'unsolved'],
    stdout: passed ? '' : 'looked at 3 words\n',
    isolation: 'bubblewrap',
  });
}

function attemptOf(task: number, iteration: number, passed: boolean): Attempt {
  const candidate = passed ? fixed(task) : wrong(task, iteration);
  const completion = `\`\`\`python\n${candidate}\`\`\``;
  return {
    iteration,
    node: iteration === 0 ? 'draft' : 'reflect',
    temperature: iteration * 0.2,
    prompt: promptOf(task, iteration),
    completion,
    candidate,
    verdict: passed
      ? { kind: 'passed', message: 'All 6 assertions held.' }
      : {
          kind: 'failed',
          message: 'An assertion of the tests did not hold.',
          test: { line: 3, source: `assert longest_word_${task}(['fig', 'banana', 'kiwi']) == 'banana'` },
          expected: "'banana'",
          actual: iteration === 0 ? "'fig'" : 'None',
        },
    repeated: false,
    unchanged: false,
    tokens: { prompt: 310 + iteration * 120, completion: 64 },
    seconds: { proposal: 0.6 + iteration * 0.2, execution: 0.05 },
  };
}

function promptOf(task: number, iteration: number): Attempt['prompt'] {
  const explained = 'Gives the longest of the words, the first of several as long. '.repeat(30);
  return [
    { role: 'system', content: 'You fix bugs in Python functions. Answer with the whole fixed function.' },
    { role: 'user', content: `The function has a bug.\n\n${explained}\n\n${buggy(task)}` },
    ...Array.from({ length: iteration }, (_, before): Attempt['prompt'] => [
      { role: 'assistant', content: wrong(task, before) },
      { role: 'user', content: `That is not right yet.\nLine 3 of the tests failed, attempt ${before}.` },
    ]).flat(),
  ];
}

function buggy(task: number): string {
  return program(task, ['if len(word) < len(longest):', '    longest = word']);
}

function wrong(task: number, iteration: number): string {
  return program(task, [`if len(word) < len(longest) - ${iteration}:`, '    longest = words']);
}

function fixed(task: number): string {
  return program(task, ['if len(word) > len(longest):', '    longest = word']);
}

function program(task: number, inside: readonly string[]): string {
  const head = [
    `def longest_word_${task}(words: list) -> str:`,
    "    longest = ''",
    '    for word in words:',
  ];
  return [...head, ...inside.map(line => `        ${line}`), '    return longest', ''].join('\n');
}
