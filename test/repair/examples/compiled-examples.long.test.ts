import { expect, test } from 'vitest';
import { loadDataset } from '../../../dataset/load.ts';
import { docstringExamples, testsOf } from '../../../lib/repair/examples/examples.ts';
import { openParser } from '../../../lib/syntax/parser.ts';
import { type CompiledLanguage, describeCompiled } from '../../extra/compiled/toolchains.ts';

const languages: readonly CompiledLanguage[] = ['go', 'rust', 'cpp', 'java'];

for (const language of languages) {
  describeCompiled(language, `examples of ${language} as tests`, judge => {
    test('compile and agree with the correct solutions, and name the failing example', async () => {
      const parser = await openParser(language);
      const dataset = await loadDataset(`mini-${language}`);
      const tasks = dataset.tasks.filter((_, index) => index % 4 === 0);
      let rejected = 0;
      for (const task of tasks) {
        const assertions = await docstringExamples(parser, task);
        if (assertions.length === 0) continue;
        const { entryPoint, declaration, canonical, buggy } = task;
        const request = { entryPoint, declaration, tests: await testsOf(language, assertions) };
        const { verdict } = await judge({ ...request, candidate: canonical });
        expect(verdict, task.id).toMatchObject({ kind: 'passed' });
        const wrong = (await judge({ ...request, candidate: buggy })).verdict;
        if (wrong.kind === 'passed') continue;
        rejected++;
        if (wrong.kind === 'failed') expect(assertions).toContain(wrong.test?.source);
      }
      expect(rejected).toBeGreaterThan(tasks.length / 4);
    });
  });
}
