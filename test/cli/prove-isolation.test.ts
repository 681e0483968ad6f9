import { expect, test } from 'vitest';
import { proveIsolation, provenText } from '../../lib/cli/doctor/prove-isolation.ts';

test('every protection of every available level holds, and the host is unchanged', async () => {
  const proven = await proveIsolation();
  expect(proven.map(({ level }) => level)).toEqual(['bubblewrap', 'namespaces', 'ulimit']);
  for (const { level, missing, protections } of proven) {
    if (missing !== null) continue;
    const names = protections.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        ...['network: UDP', 'network: Unix sockets', 'processes: tracing', 'limits: open files'],
        'limits: processor time',
        ...['limits: file size', 'limits: threads', 'processes: programs'],
        ...['other languages: processes: programs', 'other languages: processes: tracing'],
      ]),
    );
    expect(names.includes('limits: work folder')).toBe(level !== 'ulimit');
    expect(
      protections.filter(({ held }) => !held).map(({ name, how }) => `${level} ${name}: ${how}`),
    ).toEqual([]);
  }
  const lines = provenText(proven).split('\n');
  expect(lines.find(line => line.startsWith('metadata: times'))).toMatch(/held/);
});

test('the table lists what is open, untried and missing', () => {
  const protection = (name: string, held: boolean) => ({ name, held, how: '' });
  const text = provenText([
    { level: 'bubblewrap', missing: 'There is no bubblewrap.', protections: [] },
    {
      level: 'namespaces',
      missing: null,
      protections: [protection('network', true), protection('files', true)],
    },
    { level: 'ulimit', missing: null, protections: [protection('network', false)] },
  ]);
  expect(text.split('\n')).toEqual([
    '         namespaces  ulimit',
    'network  held        OPEN',
    'files    held        not tried',
    'There is no bubblewrap.',
    '',
  ]);
});
