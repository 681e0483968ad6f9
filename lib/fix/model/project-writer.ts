import type { Completion, GenerateRequest, Message, TextModel } from '../../core/ports.ts';
import type { TestResult } from '../../core/project-tests.ts';
import type { Language, Task } from '../../core/task.ts';
import { fenced } from '../../repair/prompt/task-messages.ts';
import type { ProjectFunction } from '../localise/functions.ts';
import type { SourceFile } from '../patch/source-file.ts';
import type { RoundInput } from '../repair/function-actors.ts';
import { goalsOf } from '../repair/trial.ts';
import { calledFunctions, callsOf, tracebackText } from './function-context.ts';

/** A function to write, or two of one file. */
export interface Written {
  /** Their file, which may include earlier repairs. */
  readonly file: SourceFile;
  readonly functions: readonly ProjectFunction[];
  readonly language: Task['language'];
  /** The second function on its own. */
  readonly partner?: Task;
}

/**
 * The model with what the project says about the function to write; null for a model that writes edits, and for none.
 */
export async function projectWriter(
  { project, options, repaired, tests, model: opening }: RoundInput,
  { file, functions, language, partner }: Written,
): Promise<TextModel | null> {
  const model = options.candidates > 0 ? await opening : null;
  const [first] = functions;
  if (!model || !first || model.answer === 'edit') return null;
  const goals = functions.map(each => goalsOf(tests, [each]).failing);
  const failing = tests.find(({ id }) => goals.every(ids => ids.has(id)));
  const source = (path: string) => repaired.get(path) ?? project.source(path);
  return knowingProject(model, {
    ...{ language, failing, called: calledFunctions(project.parser, file, first) },
    calls: callsOf(first, project.sources, source),
    traceback: tracebackText(failing?.frames?.filter(([path]) => project.has(path)) ?? [], source),
    ...(partner && { partner }),
  });
}

/** What a project says about one of its functions. */
interface ProjectFacts {
  readonly language: Language;
  /** A test that the function fails. */
  readonly failing: TestResult | undefined;
  /** Headers and docstrings of the functions that it calls; may be empty. */
  readonly called: string;
  /** Lines that call it; may be empty. */
  readonly calls: string;
  /** The lines in the project of the test's traceback; may be empty. */
  readonly traceback: string;
  /** A second function, shown with the first, which may be written too. */
  readonly partner?: Task;
}

/**
 * A model that writes whole functions, with these facts behind each prompt's task. Greedy answers are kept, so that
 * asking again costs nothing.
 */
export function knowingProject(model: TextModel, facts: ProjectFacts): TextModel {
  const kept = new Map<string, Promise<Completion>>();
  return {
    name: model.name,
    fingerprint: model.fingerprint,
    generate(request, options) {
      const asked: GenerateRequest = { ...request, messages: withFacts(request.messages, facts) };
      if (request.temperature > 0) return model.generate(asked, options);
      const key = JSON.stringify(asked.messages);
      const answer = kept.get(key) ?? model.generate(asked, options);
      kept.set(key, answer);
      return answer;
    },
    close: async () => {},
  };
}

function withFacts(
  messages: readonly Message[],
  { language, failing, called, calls, traceback, partner }: ProjectFacts,
): Message[] {
  const first = messages.findIndex(({ role }) => role === 'user');
  const last = messages.length - 1;
  const facts = [
    ...(partner ? partnerTexts(partner) : []),
    ...(called === '' ? [] : [`It calls these functions of the file:\n${fenced(language, called)}`]),
    ...(calls === '' ? [] : [`It is called here:\n${fenced(language, calls)}`]),
    ...(failing ? [failureText(language, failing)] : []),
    ...(traceback === '' ? [] : [`The traceback, innermost line last:\n${fenced(language, traceback)}`]),
  ];
  return messages.map((message, index) => {
    const added = [
      ...(index === first ? facts : []),
      ...(index === last && partner ? [bothText(partner)] : []),
    ];
    return added.length > 0 ? { ...message, content: [message.content, ...added].join('\n\n') } : message;
  });
}

function partnerTexts({ entryPoint, docstring }: Task): string[] {
  const purpose = docstring.trim();
  return [
    `The failing test also executes \`${entryPoint}\`, shown with it: the bug may be in both functions.`,
    ...(purpose === '' ? [] : [`What \`${entryPoint}\` should do:\n${purpose}`]),
  ];
}

function bothText({ entryPoint }: Task): string {
  return `You may change \`${entryPoint}\` too: then answer with both functions in one code block. Keep both signatures.`;
}

function failureText(
  language: Language,
  { id, type, message = '', test, expected, actual }: TestResult,
): string {
  const said = [type, message].filter(Boolean).join(': ');
  return [
    `The test ${id} fails${said === '' ? '.' : ` with ${shortened(said)}`}`,
    ...(test ? [fenced(language, shortened(test.source))] : []),
    ...(expected === undefined ? [] : [`Expected: ${shortened(expected)}`]),
    ...(actual === undefined ? [] : [`Actual: ${shortened(actual)}`]),
  ].join('\n');
}

/** Maximum characters of each part of the failure. */
const MAX_SHOWN = 400;

function shortened(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)} …` : text;
}
