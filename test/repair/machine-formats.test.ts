import { describe, expect, test } from 'vitest';
import { createMachine, setup } from 'xstate';
import { getAdjacencyMap } from 'xstate/graph';
import { machines as agents, allMachines } from '../../lib/repair/all-machines.ts';
import { formatMachine, machineGraph } from '../../lib/repair/machine-formats.ts';

/** Nested states, events, a delay, a guard, and a name that every diagram language must escape. */
const lamp = setup({ guards: { isDark: () => true }, delays: { nap: 100 } }).createMachine({
  id: 'lamp',
  initial: 'off',
  states: {
    off: { on: { PRESS: { guard: 'isDark', target: 'on' } } },
    on: {
      initial: 'half-bright',
      on: { BREAK: 'error' },
      states: { 'half-bright': { on: { PRESS: 'full' } }, full: { after: { nap: '#lamp.off' } } },
    },
    error: { type: 'final', description: 'Beyond repair.' },
  },
});

const machines = { ...agents, lamp };

test.each(['ascii', 'json'] as const)('lamp as %s', format => {
  expect(formatMachine(lamp, format)).toMatchSnapshot();
});

test.each(Object.entries(allMachines))(
  '%s as code for Stately has the same states and transitions',
  (_, machine) => {
    const code = formatMachine(machine, 'stately');
    const [start] = /^import .*;\n\nexport const machine = (?=createMachine\()/.exec(code) ?? [''];
    const pasted = new Function('createMachine', `return ${code.slice(start.length)}`)(createMachine);
    expect(start).not.toBe('');
    expect(machineGraph(pasted)).toEqual(machineGraph(machine));
  },
);

describe.each(Object.entries(machines))('%s', (_, machine) => {
  test('its mermaid diagram', () => {
    expect(formatMachine(machine, 'mermaid')).toMatchSnapshot();
  });

  test('ascii contains all states and guards', () => {
    const text = formatMachine(machine, 'ascii');
    for (const { name, arrows } of machineGraph(machine).states) {
      for (const word of [name, ...arrows.flatMap(({ to, guard }) => [to, guard])])
        expect(text).toContain(word);
    }
  });

  test('ascii is plain ASCII and fits a terminal', () => {
    const lines = formatMachine(machine, 'ascii').split('\n');
    expect(lines.join('')).toMatch(/^[ -~]*$/);
    expect(Math.max(...lines.map(line => line.length))).toBeLessThanOrEqual(100);
    expect(lines.filter(line => line !== line.trimEnd())).toEqual([]);
  });

  test('the JSON recreates a machine with the same states and transitions', () => {
    const config = JSON.parse(formatMachine(machine, 'json'));
    const again = createMachine(config);
    expect(machineGraph(again)).toEqual(machineGraph(machine));
  });
});

test('every reachable state is drawn', () => {
  const reached = Object.values(getAdjacencyMap(lamp, { events: [{ type: 'PRESS' }, { type: 'BREAK' }] }));
  expect(reached.length).toBeGreaterThan(2);
  expect(machineGraph(lamp).states.map(({ name }) => name)).toEqual([
    'off',
    'on.half-bright',
    'on.full',
    'error',
  ]);
  expect(machineGraph(lamp).states[1]?.arrows).toEqual([
    { to: 'on.full', event: 'PRESS', guard: '', actions: [] },
    { to: 'error', event: 'BREAK', guard: '', actions: [] },
  ]);
});
