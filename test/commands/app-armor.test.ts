import { expect, test } from 'vitest';
import { appArmor } from '../../lib/commands/app-armor.ts';
import { formatFindings } from '../../lib/commands/finding.ts';

test('reports AppArmor’s restriction of user namespaces, with the profile to install', () => {
  const findings = appArmor('/usr/bin/bwrap', () => '1\n');
  expect(findings).toMatchObject([{ name: 'AppArmor', state: 'missing' }]);
  const text = formatFindings(findings, false);
  expect(text).toContain('profile bwrap /usr/bin/bwrap flags=(unconfined) {');
  expect(text).toContain('  userns,');
  expect(text).toContain('sudo apparmor_parser -r /etc/apparmor.d/bwrap');
  expect(
    text
      .split('\n')
      .slice(1)
      .every(line => line.startsWith(' ')),
  ).toBe(true);
});

test.each([
  ['0\n', [{ name: 'AppArmor', state: 'good' }]],
  ['', []],
])('without a restriction (%j), there is nothing to do', (value, findings) => {
  expect(appArmor('/usr/bin/bwrap', () => value)).toMatchObject(findings);
});
