import { expect, test } from 'vitest';
import { step } from '../../lib/cli/step/step.ts';
import { terminalOf } from '../../lib/cli/terminal/terminal.ts';
import { createScriptedModel } from '../../lib/model/scripted.ts';
import { parseRunOptions } from '../../lib/options/tables/run-options.ts';
import { runParts } from '../../lib/run/library/run-parts.ts';
import { area } from '../repair/small-tasks.ts';

test('shows how many candidates each check rejected', async () => {
  const answers = ['width - height', 'width +', 'width * height'];
  const completions = answers.map(
    expression => `\`\`\`python\ndef area(width, height):\n    return ${expression}\n\`\`\``,
  );
  let shown = '';
  const terminal = terminalOf(
    {
      write(text) {
        shown += text;
      },
    },
    {},
  );
  const outcome = await step(
    parseRunOptions({ tasks: area.id, candidates: 3, agent: 'reflect' }),
    {
      ...runParts(),
      loadDataset: async () => ({ name: 'set', fingerprint: 'sha256:1', tasks: [area] }),
      createModel: async () => createScriptedModel({ completions }),
    },
    { terminal, ask: async () => 'all', signal: new AbortController().signal },
  );
  expect(outcome?.state).toBe('solved');
  expect(shown).toContain('the candidate came from');
  expect(shown).toContain('sample 3 of 3');
  expect(shown).toContain('1 left out: not applicable, not parsed, or tried before');
  expect(shown).toContain('1 rejected by the docstring’s assert area(2, 3) == 6');
});
