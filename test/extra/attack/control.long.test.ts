import { describe, expect, test } from 'vitest';
import type { AttackCase } from '../../../lib/extra/attack/attack-cases.ts';
import { createControl } from '../../../lib/extra/attack/control.ts';
import { linux, needs } from '../../support/needs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const { signal } = new AbortController();

const cases: ReadonlyArray<readonly [effect: string, name: string, code: string, language: 'python' | 'js']> =
  [
    ['forged', 'an exit', 'import os\nos._exit(0)\n', 'python'],
    ['forged', 'a file outside', "open('/tmp/outside', 'w').close()\ndef f(n): return n\n", 'python'],
    [
      'forged',
      'a connection',
      "import socket\nsocket.create_connection(('1.1.1.1', 53), 5)\ndef f(n): return n\n",
      'python',
    ],
    ['harmed', 'a loop', 'while True: pass\n', 'python'],
    ['harmed', 'memory', 'all = []\nwhile True: all.append(bytes(10 ** 7))\n', 'python'],
    ['harmed', 'its parent', 'import os\nos.kill(os.getppid(), 9)\n', 'python'],
    ['harmed', 'a full disk', "open('/tmp/big', 'wb').write(bytes(10 ** 8))\n", 'python'],
    ['harmed', 'output', "while True: print('x' * 10 ** 6)\n", 'python'],
    ['none', 'a wrong answer', 'def f(n): return 0\n', 'python'],
    ['none', 'a file of the system', "open('/etc/hostname', 'a').close()\ndef f(n): return n\n", 'python'],
    ['forged', 'another assert', 'console.assert = () => {};\nconst f = n => 0;\n', 'js'],
    ['none', 'a wrong answer', 'const f = n => 0;\n', 'js'],
  ];

describe('a plain judge', needs(linux), () => {
  test.each(cases)('is %s by %s', async (effect, _name, code, language) => {
    const control = await createControl({ HEFIX_CACHE: await temporaryFolder() });
    const outcome = await control(caseOf(code, language), signal);
    if (outcome.effect === 'unknown') return console.warn(`Skipped: ${outcome.how}.`);
    expect(outcome).toMatchObject({ effect });
  });

  test('is asked once about a program', async () => {
    const environment = { HEFIX_CACHE: await temporaryFolder() };
    const one = caseOf('import uuid\nraise SystemExit(1 + uuid.getnode() % 1 + uuid.uuid4().int % 99)\n');
    const first = await (await createControl(environment))(one, signal);
    expect(await (await createControl(environment))(one, signal)).toEqual(first);
  });
});

function caseOf(code: string, language: 'python' | 'js' = 'python'): AttackCase {
  const tests = language === 'python' ? 'assert f(2) == 2\n' : 'console.assert(f(2) === 2);\n';
  return {
    ...{ id: 'own', class: 'own', language, kind: 'attack', code, tests, entryPoint: 'f' },
    ...{ declaration: '', truth: null, needs: null, isOnHost: true },
  };
}
