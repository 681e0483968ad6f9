import { mkdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { appArmor } from '../../lib/cli/doctor/app-armor.ts';
import { formatFindings } from '../../lib/cli/doctor/finding.ts';
import { programFolder, temporaryFolder } from '../support/temporary-folder.ts';

/** A host on which only this setting exists. */
const reading = (value: string) => (path: string) =>
  path === '/proc/sys/kernel/apparmor_restrict_unprivileged_userns' ? value : '';

test('names the setting with which AppArmor restricts user namespaces, and Ubuntu 24.04', () => {
  const findings = appArmor({ bubblewrap: '/opt/bin/bwrap', works: false, read: reading('1\n') });
  expect(findings).toMatchObject([{ name: 'AppArmor', state: 'missing' }]);
  expect(findings[0]?.detail).toMatch(
    /kernel\.apparmor_restrict_unprivileged_userns is 1, as on Ubuntu 24\.04/,
  );
});

test('prints commands that install the profile when they are pasted', async () => {
  const folder = await programFolder();
  // Stands in for sudo: keeps what tee is given, and notes the rest.
  const sudo = '#!/bin/sh\n[ "$1" = tee ] && exec cat >profile\necho "$@" >>commands\n';
  await writeFile(join(folder, 'sudo'), sudo, { mode: 0o755 });
  const [found] = appArmor({ bubblewrap: '/opt/bin/bwrap', works: false, read: reading('1') });
  const printed = formatFindings(found ? [found] : [], false).split('\n');
  const script = printed.slice(2).join('\n');
  await execa('sh', ['-c', script], { cwd: folder, env: { PATH: `${folder}:${process.env.PATH}` } });
  expect(printed[1]).toMatch(/^ +Install bubblewrap, and a profile/);
  expect((await readFile(join(folder, 'profile'), 'utf8')).split('\n').map(line => line.trim())).toEqual([
    'abi <abi/4.0>,',
    'include <tunables/global>',
    'profile bwrap /opt/bin/bwrap flags=(unconfined) {',
    'userns,',
    'include if exists <local/bwrap>',
    '}',
    '',
  ]);
  expect((await readFile(join(folder, 'commands'), 'utf8')).split('\n')).toEqual([
    'apt-get install bubblewrap',
    'apparmor_parser -r /etc/apparmor.d/bwrap',
    '',
  ]);
});

test('puts the real path of bwrap into the profile, as AppArmor needs it', async () => {
  const folder = await realpath(await temporaryFolder());
  await mkdir(join(folder, 'usr'));
  await writeFile(join(folder, 'usr', 'bwrap'), '');
  await symlink('usr', join(folder, 'bin'));
  const [finding] = appArmor({ bubblewrap: join(folder, 'bin', 'bwrap'), works: false, read: reading('1') });
  expect(finding?.advice).toContain(`profile bwrap ${folder}/usr/bwrap flags=`);
});

test.each([
  ['0\n', false, [{ name: 'AppArmor', state: 'good', advice: null }]],
  ['1\n', true, [{ name: 'AppArmor', state: 'good', advice: null }]],
  ['', false, []],
])('has no advice if the setting is %j and user namespaces work: %j', (value, works, findings) => {
  expect(appArmor({ bubblewrap: '/usr/bin/bwrap', works, read: reading(value) })).toMatchObject(findings);
});
