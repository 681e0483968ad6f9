import type { Sandbox, TextModel } from '../core/ports.ts';
import type { Language } from '../core/task.ts';
import { plural } from '../report/numbers.ts';
import type { RunParts } from './run.ts';
import type { RepairTask } from './run-task.ts';

/** The component that logs. */
export type DebugSource = 'dataset' | 'agent' | 'model' | 'sandbox';

/** The output of `--debug`: a line for each start and end of an operation, with the time since the start. */
export interface DebugLog {
  tell(source: DebugSource, message: string): void;
  begin(source: DebugSource, message: string): DebugStep;
}

/** An operation that is timed from its start. */
interface DebugStep {
  /** Logs the error if the operation fails, and rejects with it. */
  with<Result>(work: Promise<Result>): Promise<Result>;
  end(result: string): void;
}

/** The same parts, which also log what they do and how long it takes, as `--debug` shows. */
export function debugParts(parts: RunParts, log: DebugLog): RunParts {
  return {
    ...parts,
    async loadDataset(...parameters) {
      const done = log.begin('dataset', `open ${parameters[0].dataset}`);
      const dataset = await done.with(parts.loadDataset(...parameters));
      done.end(`${plural(dataset.tasks.length, 'task')}, ${dataset.fingerprint}`);
      return dataset;
    },
    openSandbox: debugOpenSandbox(parts.openSandbox, log),
    async createModel(options, context) {
      const done = log.begin('model', `open ${options.model}`);
      const trace = (sentence: string) => log.tell('model', sentence);
      const model = await done.with(parts.createModel(options, { ...context, trace }));
      done.end(`${model.name}, ${model.fingerprint}`);
      return debugModel(model, log);
    },
    repairTask: options => debugAgent(parts.repairTask(options), options.agent, log),
  };
}

/** Opens a sandbox that logs what it does and how long it takes. */
export function debugOpenSandbox<Options>(
  open: (options: Options, language: Language, signal?: AbortSignal) => Promise<Sandbox>,
  log: DebugLog,
): typeof open {
  return async (options, language, signal) => {
    const done = log.begin('sandbox', `open for ${language}`);
    const sandbox = await done.with(open(options, language, signal));
    done.end([sandbox.isolation, sandbox.runtime].filter(Boolean).join(', '));
    return debugSandbox(sandbox, log);
  };
}

function debugAgent(repairTask: RepairTask, agent: string, log: DebugLog): RepairTask {
  return async input => {
    const done = log.begin('agent', `${agent} begins ${input.task.id}, seed ${input.seed}`);
    const outcome = await done.with(
      repairTask({
        ...input,
        onState(state) {
          log.tell('agent', `${input.task.id} enters ${state}`);
          input.onState(state);
        },
      }),
    );
    done.end(`${input.task.id} ${outcome.state} after ${plural(outcome.attempts.length, 'attempt')}`);
    return outcome;
  };
}

function debugModel(model: TextModel, log: DebugLog): TextModel {
  const { beams, score } = model;
  return {
    ...model,
    async generate(request, options) {
      const { messages, temperature, maxNewTokens, seed } = request;
      const asked = `generate: ${plural(messages.length, 'message')}, temperature ${temperature}, seed ${seed}, at most ${maxNewTokens} tokens`;
      const done = log.begin('model', asked);
      const completion = await done.with(model.generate(request, options));
      const { promptTokens, completionTokens, finish, cached } = completion;
      const source = cached ? ', kept from an earlier request' : '';
      done.end(`${promptTokens} prompt tokens, ${completionTokens} completion tokens, ${finish}${source}`);
      return completion;
    },
    ...(beams && {
      async beams(...parameters) {
        const done = log.begin(
          'model',
          `beams: ${parameters[0].beams} of at most ${parameters[0].maxNewTokens} tokens`,
        );
        const answers = await done.with(beams.apply(model, parameters));
        done.end(`${answers.beams.length} answers, ${answers.promptTokens} prompt tokens`);
        return answers;
      },
    }),
    ...(score && {
      async score(...parameters) {
        const done = log.begin('model', `score: ${parameters[0].answers.length} answers`);
        const scores = await done.with(score.apply(model, parameters));
        done.end(`${scores.promptTokens} prompt tokens, ${scores.completionTokens} scored`);
        return scores;
      },
    }),
  };
}

function debugSandbox(sandbox: Sandbox, log: DebugLog): Sandbox {
  return {
    ...sandbox,
    async checkSyntax(...parameters) {
      const done = log.begin('sandbox', `parse ${parameters[1].length} characters of ${parameters[0]}`);
      const fault = await done.with(sandbox.checkSyntax(...parameters));
      done.end(fault === null ? 'it parses' : `line ${fault.line}: ${fault.message}`);
      return fault;
    },
    async execute(...parameters) {
      const done = log.begin('sandbox', `judge ${parameters[0].entryPoint}`);
      const execution = await done.with(sandbox.execute(...parameters));
      const { verdict, isolation } = execution;
      done.end(`${verdict.kind} in ${isolation}: ${verdict.message}`);
      return execution;
    },
  };
}
