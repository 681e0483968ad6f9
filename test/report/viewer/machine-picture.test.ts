import { expect, test } from 'vitest';
import { printMachine } from '../../../lib/cli/machine/command.ts';
import { allMachines, machines } from '../../../lib/repair/all-machines.ts';
import { drawLabelledMachine } from '../../../lib/report/viewer/draw-machine.ts';

test('a machine is drawn as SVG with a box for each state, and as PNG', async () => {
  const svg = String(await printMachine({ agent: 'one-shot', format: 'svg' }));
  expect(svg).toContain('<title>The agent’s machine one-shot</title>');
  expect(svg).not.toContain('<text');
  const png = await printMachine({ agent: 'one-shot', format: 'png' });
  expect(Buffer.from(png).subarray(1, 4).toString()).toBe('PNG');
});

test.each(Object.entries(machines))('the picture of %s has its name and its guards', (name, machine) => {
  expect(machine.id).toBe(name);
  const { width, height, arrows } = drawLabelledMachine(machine);
  for (const { labels, labelAt } of arrows) {
    expect(labels.length).toBeGreaterThan(0);
    expect(labelAt?.x).toBeGreaterThan(0);
    expect(labelAt?.x).toBeLessThan(width);
    expect(labelAt?.y).toBeLessThan(height);
  }
  expect(arrows.map(({ to }) => to)).not.toContain('error');
});

test('the labels of reflect are its guards', () => {
  const { arrows } = drawLabelledMachine(machines.reflect);
  const labels = arrows.find(({ from, to }) => from === 'iterate' && to === 'finish')?.labels;
  expect(labels).toEqual(['isOutOfIterations', 'repeatsWithoutFeedback']);
});

test('the arrow of a state to itself ends at the state, and touches no other', () => {
  const { arrows, states } = drawLabelledMachine(allMachines.project);
  const loops = arrows.filter(({ from, to }) => from === to);
  expect(loops.map(({ from, labels }) => [from, labels])).toEqual([['repair.search', ['tried']]]);
  for (const { from, points } of loops)
    for (const state of states) {
      const [right, bottom] = [state.x + state.width / 2, state.y + state.height / 2];
      const isAt = points.map(
        ({ x, y }) =>
          state.x - state.width / 2 <= x && x <= right && Math.abs(y - state.y) <= bottom - state.y,
      );
      expect([isAt[0], isAt.includes(true), isAt.at(-1)]).toEqual(Array(3).fill(state.name === from));
    }
});
