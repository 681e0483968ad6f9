import { expect, test } from 'vitest';
import { printMachine } from '../../lib/commands/machine.ts';

test('a machine is drawn as SVG with a box for each state, and as PNG', async () => {
  const svg = String(await printMachine({ agent: 'one-shot', format: 'svg' }));
  expect(svg).toContain('<title>The agent’s machine one-shot</title>');
  expect(svg).not.toContain('<text');
  const png = await printMachine({ agent: 'one-shot', format: 'png' });
  expect(Buffer.from(png).subarray(1, 4).toString()).toBe('PNG');
});
