import { mkdir, realpath, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { execa } from 'execa';
import { describe, expect, onTestFinished, test } from 'vitest';
import { packageFile } from '../../../lib/files/package.ts';
import { needs } from '../../support/needs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type CompiledLanguage, toolchain } from '../compiled/toolchains.ts';
import { structured } from './connected.ts';

interface Sample {
  readonly code: string;
  readonly tests: string;
  readonly entry_point: string;
  readonly fixed: string;
}

const goTests =
  'package main\n\nimport (\n\t"testing"\n\t"github.com/stretchr/testify/assert"\n)\n\nfunc TestLoud(t *testing.T) {\n\tassert := assert.New(t)\n\tassert.Equal("AB", Loud("ab"))\n}\n';
const javaTests =
  'public class Main {\n    public static void main(String[] args) {\n        Solution s = new Solution();\n        if (s.twice(3) != 6) {\n            throw new AssertionError();\n        }\n    }\n}\n';

const samples: Readonly<Record<CompiledLanguage, Sample>> = {
  go: {
    code: 'package main\n\nimport "strings"\n\n// Loud gives the text in capitals.\nfunc Loud(text string) string {\n\treturn strings.ToLower(text)\n}\n\nfunc other() int {\n\treturn 1\n}\n',
    tests: goTests,
    entry_point: 'Loud',
    fixed: 'func Loud(text string) string {\n\treturn strings.ToUpper(text)\n}',
  },
  rust: {
    code: '/// Doubles.\nfn twice(x: i32) -> i32 {\n    x + 1\n}\n\nfn other() -> i32 {\n    1\n}\n',
    tests:
      '#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn doubles() {\n        assert_eq!(twice(3), 6);\n    }\n}\n',
    entry_point: 'twice',
    fixed: 'fn twice(x: i32) -> i32 {\n    x * 2\n}',
  },
  cpp: {
    code: '#include <vector>\nusing namespace std;\n\nint twice(int x) {\n    return x + 1;\n}\n\nint other() {\n    return 1;\n}\n',
    tests: '#undef NDEBUG\n#include <assert.h>\nint main() {\n    assert(twice(3) == 6);\n}\n',
    entry_point: 'twice',
    fixed: 'int twice(int x) {\n    return x * 2;\n}',
  },
  java: {
    code: 'import java.util.*;\n\nclass Solution {\n    /** Doubles. */\n    public int twice(int x) {\n        return x + other();\n    }\n\n    private int other() {\n        return 1;\n    }\n}\n',
    tests: javaTests,
    entry_point: 'twice',
    fixed: 'public int twice(int x) {\n    return x * 2;\n}',
  },
};

/** A client of `hefix mcp` whose model gives one answer. */
async function connect(answer: string, env: Readonly<Record<string, string>> = {}) {
  const folder = await temporaryFolder();
  const script = join(folder, 'script.jsonl');
  await writeFile(script, `${JSON.stringify({ completions: [answer] })}\n`);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [
      packageFile('dist/bin/hefix.js'),
      'mcp',
      '--backend',
      'scripted',
      '--model',
      script,
      '--time',
      '600',
    ],
    cwd: folder,
    env: {
      HEFIX_CACHE: process.env.HEFIX_CACHE ?? join(folder, 'cache'),
      PATH: process.env.PATH ?? '',
      ...env,
    },
    stderr: 'ignore',
  });
  const client = new Client({ name: 'test', version: '1' });
  onTestFinished(() => client.close());
  await client.connect(transport);
  return client;
}

const call = (client: Client, name: string, input: object) =>
  client.callTool({ name, arguments: { ...input } }, { timeout: 600_000 });

for (const language of ['go', 'rust', 'cpp', 'java'] as const) {
  describe(language, needs(toolchain(language)), () => {
    test('is judged and repaired', { timeout: 900_000 }, async () => {
      const { fixed, ...given } = samples[language];
      const client = await connect(`\`\`\`\n${fixed}\n\`\`\``);
      const judged = structured(await call(client, 'run_with_tests', { language, ...given }));
      expect(judged).toMatchObject({
        result: { passed: false, verdict: { kind: 'failed' }, judge: 'proven' },
      });
      const { entry_point: _, ...open } = given;
      const repaired = structured(await call(client, 'fix_function', { language, ...open }));
      expect(repaired).toMatchObject({ result: { outcome: 'repaired', passed: true, judge: 'proven' } });
      expect(repaired.result?.code).toContain('other()');
      const isolated = await call(client, 'run_with_tests', { language, ...given, judge: 'isolated' });
      expect(structured(isolated).error).toMatchObject({
        code: 'JUDGE_UNSUPPORTED',
        hint: 'Call again with judge "auto".',
      });
    });
  });
}

test('a missing compiler is named, with the package to install', async () => {
  const bin = join(await temporaryFolder(), 'bin');
  await mkdir(bin);
  for (const program of ['python3', 'bwrap']) {
    const ask =
      program === 'python3' ? ['python3', '-c', 'import sys; print(sys.executable)'] : ['which', program];
    const { stdout, exitCode } = await execa('env', ask, { reject: false });
    if (exitCode === 0) await symlink(await realpath(stdout), join(bin, program));
  }
  const client = await connect('', { PATH: bin });
  const { fixed: _, ...given } = samples.rust;
  const answer = await call(client, 'run_with_tests', { language: 'rust', ...given });
  expect(structured(answer).error).toMatchObject({
    code: 'TOOLCHAIN_MISSING',
    message: expect.stringContaining('rustc'),
  });
});
