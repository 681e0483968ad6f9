import { expect, test } from 'vitest';
import { createSandbox, processStarters } from '../../lib/sandbox/create-sandbox.ts';

const python = { candidate: 'def f(x): return 2 * x', tests: 'assert f(2) == 4', entryPoint: 'f' };
const js = { candidate: 'const f = x => 2 * x', tests: 'console.assert(f(2) === 4)', entryPoint: 'f' };

test('judges each language in its own sandbox, started on demand', async () => {
  const starters = processStarters({ timeoutSeconds: 20 });
  const started: string[] = [];
  const noted = (language: 'python' | 'js') => () => {
    started.push(language);
    return starters[language]?.() ?? Promise.reject(new Error(language));
  };
  const sandbox = await createSandbox({ python: noted('python'), js: noted('js') }, 'js');
  expect(started).toEqual(['js']);
  expect((await sandbox.execute({ language: 'js', ...js })).verdict.kind).toBe('passed');
  expect(started).toEqual(['js']);
  expect((await sandbox.execute({ language: 'python', ...python })).verdict.kind).toBe('passed');
  expect(await sandbox.checkSyntax('python', 'f(')).toMatchObject({ line: 1 });
  expect(started).toEqual(['js', 'python']);
  await expect(sandbox.execute({ language: 'rust', ...js })).rejects.toMatchObject({
    code: 'LANGUAGE_UNSUPPORTED',
  });
  await sandbox.close();
  await expect(sandbox.execute({ language: 'js', ...js })).rejects.toMatchObject({ code: 'SANDBOX_CLOSED' });
});

test('a language that failed to start can be started later', async () => {
  let tries = 0;
  const starters = processStarters({ timeoutSeconds: 20 });
  const sandbox = await createSandbox(
    {
      js: () => starters.js?.() ?? Promise.reject(),
      python: () =>
        tries++ === 0 ? Promise.reject(new Error('not yet')) : (starters.python?.() ?? Promise.reject()),
    },
    'js',
  );
  await expect(sandbox.checkSyntax('python', 'x')).rejects.toThrow('not yet');
  expect(await sandbox.checkSyntax('python', 'x')).toBeNull();
  await sandbox.close();
});
