import { describe, expect, test } from 'vitest';
import { loadDataset } from '../../../dataset/load.ts';
import { languages, type Task } from '../../../lib/core/task.ts';
import { definitionOf } from '../../../lib/repair/prompt/extract.ts';
import { publishedCandidate } from '../../../lib/repair/prompt/published/published-answer.ts';
import { openParser, type SyntaxParser } from '../../../lib/syntax/parser.ts';
import { needs } from '../../support/needs.ts';
import { sharedData, sharedFile } from '../../support/shared-data.ts';

/** Answers of chat APIs to the published prompts: a program in a fence, with text around it. */

const api = { protocol: 'humanevalfixtests', template: 'api' } as const;

function answered({ language }: Task, program: string): string {
  return `The operator was wrong. Here is the fixed code:\n\n\`\`\`${language}\n${program}\n\`\`\`\n\nIt passes now.`;
}

/** @throws if there is none */
function functionIn(parser: SyntaxParser, task: Task, program: string): string {
  const definition = definitionOf(parser.statements(program), task.entryPoint);
  if (definition === null) throw new Error(`${task.id}: no ${task.entryPoint} in ${program}`);
  return parser.fingerprint(definition.text);
}

describe.each(languages)('%s', language => {
  const file = sharedData(`humanevalpack/${language}.even.jsonl.gz`);

  test(
    'a correct program in a fence is the candidate of each real task',
    needs(sharedFile(file)),
    async () => {
      const { tasks } = await loadDataset(file ?? '', { language });
      const parser = await openParser(language);
      const lost = tasks.filter(task => {
        const candidate = publishedCandidate(parser, task, api, answered(task, task.canonical)) ?? '';
        const isWhole = functionIn(parser, task, candidate) === functionIn(parser, task, task.canonical);
        return !isWhole || parser.parses(candidate) !== parser.parses(task.canonical);
      });
      expect(lost.map(({ id }) => id)).toEqual([]);
    },
  );
});
