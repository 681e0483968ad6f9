import { expect, test } from 'vitest';
import { provenText, proveWalls } from '../../lib/cli/doctor/prove-walls.ts';

test('every wall of every available level holds, and the host is unchanged', async () => {
  const proven = await proveWalls();
  expect(proven.map(({ level }) => level)).toEqual(['bubblewrap', 'namespaces', 'ulimit']);
  for (const { level, missing, walls } of proven) {
    if (missing !== null) continue;
    expect(walls.length).toBeGreaterThanOrEqual(16);
    expect(walls.filter(({ held }) => !held).map(({ name, how }) => `${level} ${name}: ${how}`)).toEqual([]);
  }
  const lines = provenText(proven).split('\n');
  expect(lines.find(line => line.startsWith('metadata: times'))).toMatch(/held/);
});

test('the table lists what is open, untried and missing', () => {
  const wall = (name: string, held: boolean) => ({ name, held, how: '' });
  const text = provenText([
    { level: 'bubblewrap', missing: 'There is no bubblewrap.', walls: [] },
    { level: 'namespaces', missing: null, walls: [wall('network', true), wall('files', true)] },
    { level: 'ulimit', missing: null, walls: [wall('network', false)] },
  ]);
  expect(text.split('\n')).toEqual([
    '         namespaces  ulimit',
    'network  held        OPEN',
    'files    held        not tried',
    'There is no bubblewrap.',
    '',
  ]);
});
