import { silentProgress } from '../../lib/cli/terminal/line-progress.ts';
import type { Attempt } from '../../lib/core/attempt.ts';
import type { Sandbox } from '../../lib/core/ports.ts';
import { type RunRecord, recordFormat } from '../../lib/core/record.ts';
import type { Task } from '../../lib/core/task.ts';
import { createScriptedModel } from '../../lib/model/scripted.ts';
import type { RunContext, RunParts } from '../../lib/run/run.ts';
import type { RepairTask } from '../../lib/run/run-task.ts';

/** The smallest parts of a run: the tests are about the run, not the agent. */

export function tasks(count: number): Task[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `set/${index}`,
    language: 'python',
    entryPoint: `f${index}`,
    declaration: `def f${index}():\n`,
    docstring: 'Gives the index.',
    buggy: `def f${index}():\n    return -1\n`,
    canonical: `def f${index}():\n    return ${index}\n`,
    tests: `assert f${index}() == ${index}\n`,
    exampleTests: '',
    bugType: index % 2 === 0 ? 'value misuse' : 'missing logic',
  }));
}

/** A record of a task that the draft solved, with some fields changed. */
export function recordWith(changed: Partial<RunRecord>): RunRecord {
  return {
    format: recordFormat,
    task_id: 'set/0',
    index: 0,
    sample: 0,
    language: 'python',
    entry_point: 'f',
    bug_type: null,
    passed: true,
    feedback: 'tests',
    prompt: 'agent',
    example_verdict: null,
    verdict: { kind: 'passed', message: 'All held.' },
    judge: 'proven',
    error: null,
    exit_code: 0,
    stdout: '',
    stderr: '',
    runtime_sec: 2,
    iters: 0,
    timings_sec: { proposal: 1, execution: 0.5, reflection: 0 },
    token_usage: { prompt: 10, completion: 5, nodes: { draft: { prompt: 10, completion: 5 } } },
    buggy: '',
    fixed: '',
    diff: '',
    attempts: [],
    path: ['draft', 'examine', 'execute', 'solved'],
    isolation: 'ulimit',
    ...changed,
  };
}

/** An attempt that failed the tests, with some fields changed. */
export function attemptWith(changed: Partial<Attempt> = {}): Attempt {
  return {
    iteration: 0,
    node: (changed.iteration ?? 0) === 0 ? 'draft' : 'reflect',
    temperature: 0,
    prompt: [{ role: 'user', content: 'Fix it.' }],
    completion: 'x',
    candidate: 'x',
    verdict: { kind: 'failed', message: 'One did not hold.' },
    repeated: false,
    unchanged: false,
    tokens: { prompt: 10, completion: 5 },
    seconds: { proposal: 1, execution: 0.5 },
    ...changed,
  };
}

/** Parts whose model solves every task at once. */
export function partsFor(all: readonly Task[], changed: Partial<RunParts> = {}): RunParts {
  return {
    loadDataset: async () => ({ name: 'set', fingerprint: 'sha256:1', tasks: all }),
    openSandbox: async () => textSandbox,
    createModel: async () =>
      createScriptedModel({ completions: all.map(task => task.canonical), name: 'script' }),
    reports: { write: async () => [] },
    repairTask: ({ iters }) => askUntilPassed(iters),
    prompts: 'sha256:2',
    versions: { hefix: '0.0.0' },
    ...changed,
  };
}

export function context(changed: Partial<RunContext> = {}): RunContext {
  const clock = { date: () => new Date('2026-01-02T03:04:05Z'), now: () => 0 };
  return { events: silentProgress(), signal: new AbortController().signal, clock, ...changed };
}

/** Passes a candidate whose return value is the one that the tests expect. */
const textSandbox: Sandbox = {
  isolation: 'ulimit',
  checkSyntax: async () => null,
  async execute({ candidate, tests }) {
    const passed = candidate.match(/return (\S+)/)?.[1] === tests.match(/== (\S+)/)?.[1];
    return {
      verdict: passed
        ? { kind: 'passed', message: 'All held.' }
        : { kind: 'failed', message: 'One did not hold.' },
      stdout: `ran ${candidate.length}`,
      stderr: '',
      droppedBytes: 0,
      exitCode: 0,
      seconds: 0.25,
      isolation: 'ulimit',
    };
  },
  close: async () => {},
};

function askUntilPassed(iters: number): RepairTask {
  return async ({ task, model, sandbox, seed, signal, onState, onAttempt }) => {
    const attempts: Attempt[] = [];
    const path: string[] = [];
    for (let iteration = 0; iteration <= iters; iteration++) {
      const node = iteration === 0 ? 'draft' : 'reflect';
      onState(node);
      path.push(node);
      const prompt = [{ role: 'user' as const, content: task.buggy }];
      const sampling = { temperature: 0, topP: 1, topK: 0, maxNewTokens: 100, seed };
      const completion = await model.generate({ messages: prompt, ...sampling }, { signal });
      const { language, tests, entryPoint } = task;
      const execution = await sandbox.execute(
        { language, candidate: completion.text, tests, entryPoint },
        signal,
      );
      const attempt: Attempt = {
        iteration,
        node,
        temperature: 0,
        prompt,
        completion: completion.text,
        candidate: completion.text,
        verdict: execution.verdict,
        output: { stdout: execution.stdout, stderr: '', exit_code: execution.exitCode },
        repeated: false,
        unchanged: false,
        tokens: { prompt: completion.promptTokens, completion: completion.completionTokens },
        seconds: { proposal: 1, execution: execution.seconds },
      };
      attempts.push(attempt);
      onAttempt(attempt);
      if (execution.verdict.kind === 'passed') return { state: 'solved', attempts, path, cause: null };
    }
    return { state: 'unsolved', attempts, path, cause: null };
  };
}
