import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Attempt, TaskOutcome } from '../../lib/core/attempt.ts';
import { agentNames, protocols } from '../../lib/core/choices.ts';
import { HefixError } from '../../lib/core/errors.ts';
import type { Sandbox } from '../../lib/core/ports.ts';
import { bugTypes, languages } from '../../lib/core/task.ts';
import { packageFile } from '../../lib/files/package.ts';
import { createScriptedModel } from '../../lib/model/scripted.ts';
import { type RepairOptions, repairTask } from '../../lib/repair/repair-task.ts';
import { createJavaScriptSandbox } from '../../lib/sandbox/javascript/host/javascript-sandbox.ts';
import { createPythonSandbox } from '../../lib/sandbox/python/host/python-sandbox.ts';
import { isolatedVm } from '../support/needs.ts';

const runSchema = z.strictObject({
  about: z.string(),
  agent: z.enum(agentNames).default('reflect'),
  feedback: z.enum(['tests', 'examples', 'none']).default('tests'),
  protocol: z.enum(protocols).optional(),
  maxIterations: z.number(),
  task: z.strictObject({
    id: z.string(),
    language: z.enum(languages),
    entryPoint: z.string(),
    declaration: z.string(),
    docstring: z.string(),
    buggy: z.string(),
    canonical: z.string(),
    tests: z.string(),
    exampleTests: z.string(),
    bugType: z.enum(bugTypes),
  }),
  completions: z.array(z.string()),
});

type RecordedRun = z.infer<typeof runSchema>;

const folder = packageFile('fixtures/runs');
const runs = readdirSync(folder)
  .filter(name => name.endsWith('.json'))
  .map(name => ({ name, ...runSchema.parse(JSON.parse(readFileSync(`${folder}/${name}`, 'utf8'))) }));

const options: Omit<RepairOptions, 'agent' | 'feedback' | 'maxIterations'> = {
  temperature: { schedule: 'ramp', base: 0, step: 0.2, cap: 0.8 },
  topP: 1,
  topK: 0,
  maxNewTokens: 1000,
  seed: 1,
};

describe('recorded runs of Python', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await createPythonSandbox({ timeoutSeconds: 2 });
  });
  afterAll(() => sandbox.close());

  test.each(runs.filter(({ task }) => task.language === 'python'))('$name', async run => {
    expect(described(await replayed(run, sandbox))).toMatchSnapshot();
  });

  test('the second prompt contains the failure of the first attempt', async () => {
    const run = runs.find(({ name }) => name === 'reflected.json');
    if (!run) throw new Error('reflected.json is gone');
    const [first, second] = (await replayed(run, sandbox)).attempts;
    const failing = first?.verdict?.test?.source;
    expect(failing).toMatch(/^assert /);
    expect(second?.prompt.at(-1)?.content).toContain(failing);
  });
});

describe('recorded runs of JavaScript', () => {
  let sandbox: Sandbox | null = null;
  beforeAll(async () => {
    sandbox = await createJavaScriptSandbox({ timeoutSeconds: 5 }).catch(withoutIsolatedVm);
  });
  afterAll(async () => {
    await sandbox?.close();
  });

  test.for(runs.filter(({ task }) => task.language === 'js'))('$name', async (run, { skip }) => {
    if (!sandbox) return skip(isolatedVm);
    expect(described(await replayed(run, sandbox))).toMatchSnapshot();
  });
});

function withoutIsolatedVm(error: unknown): null {
  if (error instanceof HefixError && error.code === 'ISOLATED_VM_MISSING') return null;
  throw error;
}

async function replayed(run: RecordedRun, sandbox: Sandbox): Promise<TaskOutcome> {
  const { task, agent, feedback, protocol, maxIterations, completions } = run;
  const model = createScriptedModel({ completions });
  return await repairTask({
    task,
    model,
    sandbox,
    options: { ...options, agent, feedback, protocol, maxIterations },
  });
}

/** The path through the machine, and the messages. */
function described({ state, path, score, cause, attempts }: TaskOutcome): string {
  const rounds = attempts.map(({ node, iteration, temperature, verdict, repeated, prompt, diagnosis }) => {
    const header = `${iteration} ${node} at ${temperature}: ${verdict?.kind ?? 'not run'}${repeated ? ', repeated' : ''}`;
    const asked = diagnosis ? ['--- diagnosis', said(diagnosis.prompt), diagnosis.completion] : [];
    return [`--- ${header}`, verdict?.message ?? '', said(prompt), ...asked].filter(Boolean).join('\n');
  });
  const scored = score ? [`--- score: ${score.verdict.kind}`, score.verdict.message] : [];
  const end = cause ? `${state}: ${cause.code}: ${cause.message}` : state;
  return [path.join(' > '), ...rounds, ...scored, `--- ${end}`, ''].join('\n');
}

/** The prompt after the task, with which all prompts start. */
function said(prompt: Attempt['prompt']): string {
  return prompt
    .slice(2)
    .map(({ role, content }) => `[${role}]\n${content}`)
    .join('\n');
}
