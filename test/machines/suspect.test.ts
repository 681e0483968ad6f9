import { expect, test } from 'vitest';
import { createMachine, initialTransition } from 'xstate';
import { formatMachine, machineGraph } from '../../lib/repair/machine-formats.ts';
import type { SearchSettings } from '../../machines/context.ts';
import { choosable } from '../../machines/pool.ts';
import { searchOf } from '../../machines/project.ts';
import { suspectMachine } from '../../machines/suspect.ts';
import { type AgentMachine, type AgentSnapshot, type OutcomeName, ramp, stepped, task } from './outcomes.ts';

const machine = suspectMachine as unknown as AgentMachine;

const usual = {
  answers: { kind: 'likeliest', most: 1 },
  edits: { budget: 9, screening: 'all before asking', ranked: false, pairs: false },
  suite: 'tests',
  seconds: 10,
} as const satisfies SearchSettings;

/** The states on the way, and the last snapshot. */
function walked(names: readonly OutcomeName[], search: SearchSettings = usual) {
  const input = { task, maxIterations: 0, temperature: ramp, feedback: 'tests', search } as const;
  let [snapshot]: readonly [AgentSnapshot, ...unknown[]] = initialTransition(machine, input);
  const path = [String(snapshot.value)];
  for (const name of names) {
    snapshot = stepped(machine, snapshot, name);
    path.push(String(snapshot.value));
  }
  return { path, context: snapshot.context, candidate: () => chosenIn(snapshot) };
}

function chosenIn({ context: { pool } }: AgentSnapshot): string | undefined {
  return pool.candidates[choosable(pool)[0] ?? -1]?.code ?? undefined;
}

test('runs edits before the model is asked, and again only those that have not failed', () => {
  const { path, candidate } = walked([
    'enumerate: two',
    'screen: none passes',
    'propose: an answer',
    'enumerate: two',
  ]);
  expect(path).toEqual(['enumerate', 'screen', 'draft', 'enumerate', 'unsolved']);
  expect(candidate()).toBeUndefined();
});

test('a repair is the first that has not failed', () => {
  const { path, candidate } = walked([
    'enumerate: two',
    'screen: the first passes',
    'propose: an answer',
    'enumerate: two',
  ]);
  expect(path).toEqual(['enumerate', 'screen', 'draft', 'enumerate', 'solved']);
  expect(candidate()).toBe('edit 1');
});

test('if nothing is asked, or the time is up, the first that passes is taken', () => {
  const unasked = walked(['enumerate: two', 'screen: the first passes'], {
    ...usual,
    answers: { kind: 'none' },
  });
  expect(unasked.path).toEqual(['enumerate', 'screen', 'solved']);
  const { path } = walked(['enumerate: two', 'screen: no time', 'screen: the first passes']);
  expect(path).toEqual(['enumerate', 'screen', 'screen', 'solved']);
});

test('pairs are tried only if they may be', () => {
  const tried = ['enumerate: two', 'propose: an answer', 'enumerate: two', 'screen: none passes'] as const;
  const later = { ...usual, edits: { ...usual.edits, screening: 'first' } } as const;
  expect(walked(tried, later).path.at(-1)).toBe('unsolved');
  const pairs = walked([...tried, 'combine: a pair', 'screen: the first passes'], {
    ...later,
    edits: { ...later.edits, pairs: true },
  });
  expect(pairs.path.slice(-3)).toEqual(['combine', 'screen', 'solved']);
  expect(pairs.candidate()).toBe('both');
});

test('failures of actors end in the state error', () => {
  expect(walked(['enumerate failed']).path.at(-1)).toBe('error');
  expect(walked(['enumerate: two', 'screen: none passes', 'propose failed']).path.at(-1)).toBe('error');
});

test('a later effort asks for more candidates, and what was run before is not run before the model again', () => {
  const suspect = { file: 'a.py', function: 'f', line: 1, suspicion: 1, lines: [], task };
  const context = {
    suspects: [suspect],
    place: 0,
    slice: 0,
    asksModel: false,
    temperature: 0,
  } as never as Parameters<typeof searchOf>[0];
  const searches = (['promising', 'all', 'pairs'] as const).map(
    effort => searchOf({ ...context, effort }).search,
  );
  expect(searches.map(({ answers, edits }) => [answers.kind, edits?.screening, edits?.pairs])).toEqual([
    ['none', 'all before asking', false],
    ['none', 'first', false],
    ['none', 'first', true],
  ]);
  expect(searches[0]?.edits?.budget).toBeLessThan(searches[1]?.edits?.budget ?? 0);
});

test('the machine that is printed as JSON has the same states and transitions', () => {
  const config = JSON.parse(formatMachine(suspectMachine, 'json'));
  expect(machineGraph(createMachine(config))).toEqual(machineGraph(suspectMachine));
});
