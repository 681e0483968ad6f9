import { describe, expect, test } from 'vitest';
import { HefixError } from '../../lib/core/errors.ts';
import type { ExecuteRequest, Sandbox, TextModel } from '../../lib/core/ports.ts';
import { derivedSeed } from '../../lib/core/random.ts';
import type { Given } from '../../lib/options/option.ts';
import { parseRunOptions, type RunOptions, resultOptions } from '../../lib/options/tables/run-options.ts';
import { repairTask } from '../../lib/repair/repair-task.ts';
import { FIRST_IS_THROUGH, PRESCREEN_ENTRY_POINT } from '../../lib/repair/screen/screen.ts';
import { repairOptions } from '../../lib/run/library/run-parts.ts';
import { idleSettings } from '../../lib/run/model/model-abilities.ts';
import { area } from '../repair/small-tasks.ts';

/** Each option that decides results changes a prompt, a draw or a request, or hefix says that it does not. */

/** No candidate passes, so all iterations run; several agree with the example. */
const task = {
  ...area,
  docstring: 'The area of a frame.\n>>> area(1, 0)\n1',
  tests: 'assert area(2, 3) == 60\nassert area(4, 5) == 200\n',
  exampleTests: 'assert area(1, 0) == 1\n',
};

/** A value that differs from those of the ways below. */
const values: Given = {
  iters: 1,
  agent: 'react',
  feedback: 'none',
  answer: 'whole',
  candidates: 3,
  noExamples: true,
  searchSeconds: 0.001,
  budget: 3,
  withEdits: true,
  noRank: true,
  fewShot: 1,
  prompt: 'humanevalfixdocs',
  template: 'octocoder',
  beams: 3,
  beamPrompt: 'first',
  temperature: 2,
  schedule: 'anneal',
  temperatureStep: 2,
  topP: 0.5,
  topK: 5,
  maxNewTokens: 7,
  maxLength: 50,
  thinking: true,
  seed: 7,
};

/** Those decide which tasks are run, or are given to the sandbox, the model or the server as they are opened. */
const elsewhere = ['lang', 'columns', 'timeout', 'memory', 'judge', 'device', 'omit', 'robust'];

/** Beams and likelihoods that depend on the text alone. */
function modelWith(
  answer: 'edit' | 'whole',
  isLocal: boolean,
  asked: unknown[],
  { backend }: Pick<RunOptions, 'backend'> = { backend: 'onnx' },
): TextModel {
  const logLikelihood = (text: string) => -(derivedSeed(text) % 1000) / 250;
  const tokens = { promptTokens: 1, completionTokens: 1, seconds: 0 };
  const edits = ['@2\n-+\n+*', '@2\n-+\n+-', '@2\n-+\n+**'];
  const wholes = ['def area(width, height):\n    return width\n', 'def area(width, height):\n    return 1\n'];
  const answers = answer === 'edit' ? edits : wholes.map(code => `\`\`\`python\n${code}\`\`\`\n`);
  return {
    name: 'a-model',
    fingerprint: 'a-model',
    answer,
    async generate({ maxLength, ...request }) {
      // Servers have a limit of their own.
      asked.push({ ...request, ...(backend === 'openai' ? {} : { maxLength }) });
      return { text: answers[derivedSeed(request.seed) % answers.length] ?? '', finish: 'stop', ...tokens };
    },
    ...(isLocal && {
      async beams(request) {
        asked.push(request);
        const beams = edits.slice(0, request.beams).map((text, place) => ({ text, logLikelihood: -place }));
        return { beams, ...tokens };
      },
      async score(request) {
        asked.push({ messages: request.messages, answers: request.answers });
        return { logLikelihoods: request.answers.map(logLikelihood), ...tokens };
      },
    }),
    close: async () => {},
  };
}

/** Every third candidate agrees with what is known, and none passes the tests. */
const sandbox: Sandbox = {
  isolation: 'ulimit',
  checkSyntax: async () => null,
  async execute({ entryPoint }) {
    const lines = Array.from({ length: 250 }, (_, at) =>
      at % 3 === 0 ? `@${at} 1 1 -1 0 0` : `@${at} 0 1 0 0 0`,
    );
    const isScreening = entryPoint === PRESCREEN_ENTRY_POINT;
    const failed = { line: 1, source: 'assert area(2, 3) == 60' };
    return {
      verdict: isScreening
        ? { kind: 'passed', message: 'All held.' }
        : { kind: 'failed', message: 'One did not hold.', test: failed },
      stdout: isScreening ? [FIRST_IS_THROUGH, ...lines].join('\n') : '',
      stderr: '',
      droppedBytes: 0,
      exitCode: 0,
      seconds: 0,
      isolation: 'ulimit',
    };
  },
  close: async () => {},
};

/** The time left to run many candidates depends on the machine. */
function withoutTime({ candidate, ...request }: ExecuteRequest): unknown {
  const roughly = candidate.replace(/, ([\d.e-]+)(?=, (?:True|False)\)\n$)/, (_, seconds) =>
    Number(seconds) < 0.01 ? ', short' : ', long',
  );
  return { ...request, candidate: roughly };
}

/** What the model is asked, what the sandbox runs, and what is chosen. */
async function traceOf(given: Given, answer: 'edit' | 'whole', isLocal: boolean): Promise<string> {
  const options = parseRunOptions(given);
  const trace: unknown[] = [];
  const outcome = await repairTask({
    task,
    model: modelWith(answer, isLocal, trace, options),
    sandbox: {
      ...sandbox,
      execute(request, signal) {
        trace.push(withoutTime(request));
        return sandbox.execute(request, signal);
      },
    },
    options: { ...repairOptions(options), seed: derivedSeed(options.seed, task.id, 0) },
  });
  const chosen = outcome.attempts.map(({ completion, candidate }) => [completion, candidate]);
  return JSON.stringify([trace, chosen, outcome.score?.candidate]);
}

const ways = {
  'a model that writes edits': { given: {}, answer: 'edit', isLocal: true },
  'edits that are sampled': { given: { beams: 0 }, answer: 'edit', isLocal: true },
  'edits without iterations': { given: { iters: 0 }, answer: 'edit', isLocal: true },
  'edits in a fixed order': { given: { noRank: true }, answer: 'edit', isLocal: true },
  'edits at temperature 0': { given: { temperature: 0 }, answer: 'edit', isLocal: true },
  'a diagnosis, then edits': { given: { agent: 'react' }, answer: 'edit', isLocal: true },
  'a search': { given: { agent: 'search' }, answer: 'edit', isLocal: true },
  'one edit': { given: { agent: 'one-shot' }, answer: 'edit', isLocal: true },
  'whole functions': { given: {}, answer: 'whole', isLocal: true },
  'whole functions and edits': { given: { withEdits: true }, answer: 'whole', isLocal: true },
  'several functions': { given: { candidates: 2 }, answer: 'whole', isLocal: false },
  'a server': {
    given: { backend: 'openai', baseUrl: 'http://localhost', model: 'm' },
    answer: 'whole',
    isLocal: false,
  },
  'function calls': { given: { agent: 'tools', schedule: 'ramp' }, answer: 'whole', isLocal: false },
  'one function': { given: { agent: 'one-shot' }, answer: 'whole', isLocal: false },
  'a published protocol': { given: { prompt: 'humanevalfixtests' }, answer: 'whole', isLocal: true },
} as const;

test('all options that decide results are tried', () => {
  expect([...Object.keys(values), ...elsewhere].toSorted()).toEqual([...resultOptions].toSorted());
});

describe.each(Object.entries(ways))('%s', (_, { given: own, answer, isLocal }) => {
  const isSingle = 'prompt' in own || ('agent' in own && /search|one-shot/.test(own.agent));
  const given: Given = {
    ...('agent' in own && own.agent === 'tools' ? {} : { budget: 40 }),
    temperature: 0.5,
    temperatureStep: 0.2,
    ...(isSingle ? {} : { iters: 2 }),
    ...own,
  };
  const before = new Map<number, string>();
  const isChangedBy = async (changed: Given, seed: number) => {
    const standard = before.get(seed) ?? (await traceOf({ seed, ...given }, answer, isLocal));
    before.set(seed, standard);
    return (await traceOf({ seed, ...changed }, answer, isLocal)) !== standard;
  };

  test.each(Object.keys(values).filter(key => JSON.stringify(values[key]) !== JSON.stringify(given[key])))(
    '%s',
    async key => {
      const value = key === 'answer' && answer === 'whole' ? 'edit' : values[key];
      const changed = { ...given, [key]: value };
      let idle: readonly string[];
      try {
        const model = modelWith(answer, isLocal, []);
        idle = idleSettings(parseRunOptions(changed), model, 'python');
      } catch (error) {
        expect(error).toBeInstanceOf(HefixError);
        return;
      }
      const name = `--${key.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`;
      const isIdle = idle.includes(name);
      // With most seeds, the first candidate of a draw is the same at two temperatures.
      let isChanged = false;
      for (let seed = 1; seed <= (isIdle ? 1 : 20) && !isChanged; seed++)
        isChanged = await isChangedBy(changed, seed);
      expect({ isIdle, isChanged }).toEqual({ isIdle: !isChanged, isChanged });
    },
  );
});
