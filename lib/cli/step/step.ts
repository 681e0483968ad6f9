import { closingAll, joinSignals } from '../../core/async.ts';
import type { TaskOutcome } from '../../core/attempt.ts';
import { reason } from '../../core/errors.ts';
import type { Message, Sandbox, TextModel } from '../../core/ports.ts';
import { derivedSeed } from '../../core/random.ts';
import type { Task } from '../../core/task.ts';
import { printable } from '../../core/text.ts';
import { optionInvalid } from '../../options/option.ts';
import type { RunOptions } from '../../options/tables/run-options.ts';
import { agentMachine } from '../../repair/agents.ts';
import { machineGraph } from '../../repair/machine-formats.ts';
import type { Inspect } from '../../repair/repair-task.ts';
import { PRESCREEN_ENTRY_POINT } from '../../repair/screen/screen.ts';
import { stepWords } from '../../report/viewer/page/data/path-parts.ts';
import type { ModelContext } from '../../run/model/create-model.ts';
import { selectTasks } from '../../run/plan.ts';
import type { RunParts } from '../../run/run.ts';
import { selectionLines } from '../terminal/line-progress.ts';
import { type Terminal, warningLine } from '../terminal/terminal.ts';
import { type StepText, stepText } from './step-text.ts';

/** Answers when the machine waits: continue, continue to the end, or quit. */
export type StepKey = 'next' | 'all' | 'quit';

export interface StepContext extends ModelContext {
  /** Output of the walk. */
  readonly terminal: Terminal;
  /** Waits for the person; `action` describes the next step. */
  readonly ask: (action: string) => Promise<StepKey>;
  readonly signal: AbortSignal;
  readonly inspect?: Inspect | undefined;
}

/**
 * Walks one task through its agent's machine, and waits before each model call and each test run. Otherwise
 * identical to a run with the same options. Null if the person quit before the end. Rejects with the
 * HefixErrors of a run, or OPTION_INVALID unless the options select one task.
 */
export async function step(
  options: RunOptions,
  parts: Pick<RunParts, 'loadDataset' | 'openSandbox' | 'createModel' | 'repairTask'>,
  context: StepContext,
): Promise<TaskOutcome | null> {
  const { terminal, signal, inspect } = context;
  const task = onlyTask(options, await parts.loadDataset(options, context));
  const text = stepText(machineGraph(await agentMachine(options.agent)), terminal);
  const left = new AbortController();
  const walk: Walk = { text, write: terminal.write, pause: pauseWith(context, left) };
  const both = joinSignals(signal, left.signal);
  const warn = (sentence: string) => terminal.write(warningLine(terminal, sentence));
  return await closingAll(
    async opened => {
      const sandbox = opened(await parts.openSandbox(options, task.language, signal));
      if (sandbox.warning && options.isolation === undefined) warn(sandbox.warning);
      const model = opened(await parts.createModel(options, { ...context, warn }));
      terminal.write(terminal.colors.bold(`${printable(task.id)}, ${options.agent} with ${model.name}\n`));
      terminal.write(text.block('the function to repair', task.buggy));
      const visited: string[] = [];
      const outcome = await parts.repairTask(options)({
        task,
        sample: 0,
        model: steppedModel(model, walk),
        sandbox: steppedSandbox(sandbox, walk),
        seed: derivedSeed(options.seed, task.id, 0),
        signal: both.signal,
        onState(state) {
          visited.push(state);
          terminal.write(text.state(state, visited));
        },
        onStep(step) {
          const words = stepWords(step);
          if (words !== '') terminal.write(`${step.state}: ${words}\n`);
        },
        onAttempt({ repeated, verdict, seconds, selection }) {
          if (selection)
            terminal.write(text.block('the candidate came from', selectionLines(selection).join('\n')));
          if (repeated) terminal.write('The same code as before.\n');
          // The tests' output is shown unchanged.
          else if (verdict && seconds.execution === 0) terminal.write(text.verdict(verdict));
        },
        inspect,
      });
      terminal.write(endOf(outcome, text));
      return outcome;
    },
    error => warn(`Something could not be closed: ${reason(error)}.`),
  )
    .catch(error => {
      if (left.signal.aborted && !signal.aborted) return null;
      throw error;
    })
    .finally(both.release);
}

interface Walk {
  readonly text: StepText;
  readonly write: (text: string) => void;
  /** Resolves when the person continues. */
  readonly pause: (action: string) => Promise<void>;
}

function onlyTask(options: RunOptions, dataset: { name: string; tasks: readonly Task[] }): Task {
  const [task, ...others] = selectTasks(dataset.tasks, options, dataset.name);
  if (task !== undefined && others.length === 0) return task;
  throw optionInvalid('--task', options.tasks, `one task, and ${others.length + 1} match`);
}

function pauseWith({ ask }: StepContext, left: AbortController): Walk['pause'] {
  let waits = true;
  return async action => {
    if (!waits) return;
    const key = await ask(action);
    if (key === 'all') waits = false;
    if (key !== 'quit') return;
    left.abort();
    left.signal.throwIfAborted();
  };
}

function steppedModel(model: TextModel, { text, write, pause }: Walk): TextModel {
  const showMessages = async (messages: readonly Message[], prefill = '') => {
    // The agent calls the model as it enters a state, before the state is reported.
    await Promise.resolve();
    for (const message of messages) write(text.block(message.role, contentOf(message)));
    if (prefill !== '') write(text.block('the answer starts with', prefill));
  };
  return {
    ...model,
    ...(model.beams && {
      async beams(request, options) {
        await showMessages(request.messages, request.prefill);
        await pause(`ask for the ${request.beams} likeliest answers`);
        const answers = await model.beams?.(request, options);
        if (!answers) throw new Error('The model has no beams.');
        for (const beam of answers.beams) write(text.block(shareOf(beam.logLikelihood), beam.text));
        return answers;
      },
    }),
    ...(model.score && {
      async score(request, options) {
        await showMessages(request.messages);
        await pause(`ask how likely ${request.answers.length} answers are`);
        const scores = await model.score?.(request, options);
        if (!scores) throw new Error('The model gives no scores.');
        const likeliest = Math.max(...scores.logLikelihoods);
        const answer = request.answers[scores.logLikelihoods.indexOf(likeliest)] ?? '';
        write(text.block(`the likeliest, ${shareOf(likeliest)}`, answer));
        return scores;
      },
    }),
    async generate(request, options) {
      const { messages, prefill, temperature, maxNewTokens } = request;
      await showMessages(messages, prefill);
      await pause(`send this at temperature ${temperature}, for at most ${maxNewTokens} tokens`);
      const completion = await model.generate(request, options);
      const calls = (completion.toolCalls ?? []).map(call => `${call.name}(${call.arguments})`);
      write(text.block('the answer', [completion.text, ...calls].filter(part => part !== '').join('\n')));
      write(`${completion.promptTokens} tokens read, ${completion.completionTokens} written\n`);
      return completion;
    },
    close: () => model.close(),
  };
}

function shareOf(logLikelihood: number): string {
  return `probability ${Math.exp(logLikelihood).toPrecision(2)}`;
}

function contentOf({ content, toolCalls = [] }: Message): string {
  return [content, ...toolCalls.map(call => `${call.name}(${call.arguments})`)].join('\n');
}

function steppedSandbox(sandbox: Sandbox, { text, write, pause }: Walk): Sandbox {
  return {
    isolation: sandbox.isolation,
    runtime: sandbox.runtime,
    checkSyntax: (...parameters) => sandbox.checkSyntax(...parameters),
    async execute(request, signal) {
      if (request.entryPoint === PRESCREEN_ENTRY_POINT) return await sandbox.execute(request, signal);
      await Promise.resolve();
      write(text.block('the candidate', request.candidate));
      await pause('run the tests');
      const execution = await sandbox.execute(request, signal);
      write(text.verdict(execution.verdict));
      for (const stream of ['stdout', 'stderr'] as const) {
        if (execution[stream] !== '') write(text.block(stream, execution[stream]));
      }
      return execution;
    },
    close: () => sandbox.close(),
  };
}

function endOf({ state, attempts, path, cause }: TaskOutcome, text: StepText): string {
  const tokens = attempts.reduce((sum, attempt) => sum + attempt.tokens.completion, 0);
  const count = attempts.length === 1 ? 'one attempt' : `${attempts.length} attempts`;
  const sum = `\n${state} after ${count}, ${tokens} tokens written\n${path.join(' → ')}\n`;
  return cause ? `${sum}${text.block(cause.code, cause.message)}` : sum;
}
