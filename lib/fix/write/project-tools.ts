import { z } from 'zod';
import type { Tool, ToolCall } from '../../core/ports.ts';
import type { TestReport, TestResult } from '../../core/project-tests.ts';
import { parseJson } from '../../files/untrusted-file.ts';
import type { SourceFile } from '../patch/source-file.ts';
import type { OpenProject } from '../project/open-project.ts';
import { failureText } from './project-prompt.ts';

/** What a model may do with a project before it answers, if it calls functions: nothing that changes it. */

export interface ToolParts {
  readonly project: OpenProject;
  /** With all repairs so far. */
  readonly source: (path: string) => SourceFile;
  readonly tests: readonly TestResult[];
  /** Runs some tests with edits, in the form of an answer; the problems are those of edits that do not apply. */
  readonly run: (
    edits: string,
    ids: readonly string[],
  ) => Promise<{ readonly report: TestReport; readonly problems: readonly string[] }>;
  /** Maximum characters of one result. */
  readonly characters: number;
}

const readFile = z.object({
  path: z.string(),
  first_line: z.number().int().min(1).optional(),
  last_line: z.number().int().min(1).optional(),
});
const search = z.object({ text: z.string().min(1) });
const runTests = z.object({ ids: z.array(z.string()).min(1).max(50), edits: z.string().optional() });

export const projectTools: readonly Tool[] = [
  {
    name: 'read_file',
    description: 'Read a source file of the project or its tests, or some of its lines.',
    parameters: z.toJSONSchema(readFile),
  },
  {
    name: 'search',
    description: 'Find the lines of all source files and tests that contain a text.',
    parameters: z.toJSONSchema(search),
  },
  {
    name: 'list_tests',
    description: 'List the tests with their ids, and which of them fail.',
    parameters: z.toJSONSchema(z.object({})),
  },
  {
    name: 'run_tests',
    description:
      'Run tests by their ids. With edits, as SEARCH/REPLACE blocks, they run in a copy with these edits.',
    parameters: z.toJSONSchema(runTests),
  },
];

/** The result as the model reads it; calls that make no sense are told so. */
export async function callProjectTool(
  parts: ToolParts,
  { name, arguments: text }: ToolCall,
): Promise<string> {
  const run = tools[name];
  if (!run) return `There is no function ${name}. There are ${Object.keys(tools).join(', ')}.`;
  const said = await run(parts, text.trim() === '' ? {} : parseJson(text));
  return said.length > parts.characters ? `${said.slice(0, parts.characters)}\n… (cut)` : said;
}

const tools: Readonly<Record<string, (parts: ToolParts, input: unknown) => Promise<string>>> = {
  read_file: checked(readFile, async ({ project, source }, { path, first_line = 1, last_line }) => {
    const file = filesOf(project).find(each => each === path || each.endsWith(`/${path}`));
    if (file === undefined) return `There is no source file ${path}.`;
    const lines = source(file).text.split(/\r?\n/);
    return lines.slice(first_line - 1, last_line).join('\n');
  }),
  search: checked(search, async ({ project, source }, { text }) => {
    const matches = filesOf(project).flatMap(path =>
      source(path)
        .text.split(/\r?\n/)
        .flatMap((line, index) => (line.includes(text) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
    );
    return matches.length === 0 ? 'No line contains it.' : matches.slice(0, MAX_LINES).join('\n');
  }),
  list_tests: checked(z.object({}), async ({ tests }) =>
    tests.map(({ id, outcome }) => `${outcome === 'failed' ? 'FAILED ' : ''}${id}`).join('\n'),
  ),
  run_tests: checked(runTests, async ({ tests, run }, { ids, edits = '' }) => {
    const selected = ids.filter(id => tests.some(test => test.id === id));
    if (selected.length === 0) return 'There is no test with such an id; list_tests has them.';
    const { report, problems } = await run(edits, selected);
    if (problems.length > 0) return problems.join('\n\n');
    if (report.tests.length === 0 && report.fault !== null) return `The tests cannot be run: ${report.fault}`;
    const told = report.tests.filter(({ id }) => selected.includes(id));
    return told
      .map(test => `${test.id}: ${test.outcome === 'failed' ? failureText(test) : test.outcome}`)
      .join('\n');
  }),
};

const MAX_LINES = 60;

function checked<Arguments>(
  schema: z.ZodType<Arguments>,
  run: (parts: ToolParts, input: Arguments) => Promise<string>,
): (parts: ToolParts, input: unknown) => Promise<string> {
  return async (parts, input) => {
    const parsed = schema.safeParse(input);
    return parsed.success
      ? await run(parts, parsed.data)
      : `The arguments are not valid: ${z.prettifyError(parsed.error)}`;
  };
}

function filesOf({ sources, plan, has }: OpenProject): string[] {
  return [...sources, ...plan.tests.filter(path => has(path) && !sources.includes(path))];
}
