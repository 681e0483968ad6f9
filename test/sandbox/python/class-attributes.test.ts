import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Sandbox } from '../../../lib/core/ports.ts';
import { createPythonSandbox } from '../../../lib/sandbox/python/host/python-sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createPythonSandbox({ timeoutSeconds: 20 });
});
afterAll(async () => await sandbox.close());

const candidate = `
class Box:
    limit = 3

    def size(self):
        return getattr(self, 'limit', 0)

def f(x):
    return Box().size() + x
`;

test.each([
  [
    'delete an attribute',
    'assert f(1) == 4\ndel Box.limit\nassert f(1) == 1\nBox.limit = 7\nassert f(1) == 8',
  ],
  // As unittest.mock of Python 3.9 does it.
  [
    'replace a method and put it back',
    `
size = Box.size
Box.size = lambda self: 5
assert f(1) == 6
del Box.size
assert not hasattr(Box, 'size')
Box.size = size
assert f(1) == 4
`,
  ],
  [
    'try to delete an attribute that is not there',
    `
try:
    del Box.other
    raise ValueError('no error')
except AttributeError:
    assert f(1) == 4
`,
  ],
])('tests may %s of a candidate’s class', async (_, tests) => {
  const { verdict } = await sandbox.execute({ language: 'python', candidate, tests, entryPoint: 'f' });
  expect(verdict).toMatchObject({ kind: 'passed' });
});
