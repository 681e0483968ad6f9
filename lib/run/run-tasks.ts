import { derivedSeed } from '../agent/seed.ts';
import type { Attempt, TaskOutcome } from '../attempt.ts';
import type { Execution, Sandbox, TextModel } from '../ports.ts';
import type { Task } from '../task.ts';
import { type RunRecord, recordOf } from './record.ts';

/** Repairs one task with a model and a sandbox. */
export type RepairTask = (given: {
  readonly task: Task;
  readonly model: TextModel;
  readonly sandbox: Sandbox;
  readonly seed: number;
  readonly signal: AbortSignal;
  /** Told each state of the agent as it is entered. */
  readonly onState: (state: string) => void;
  /** Told each attempt as it gets its verdict. */
  readonly onAttempt: (attempt: Attempt) => void;
}) => Promise<TaskOutcome>;

/** Told what goes on, for a progress display. */
export interface RunEvents {
  /** Something that people should know before they trust the numbers; a whole sentence. */
  warned(sentence: string): void;
  /** The tasks of this run, and the records that its file holds already. */
  planned(tasks: readonly Task[], held: readonly RunRecord[]): void;
  taskStarted(task: Task): void;
  state(state: string): void;
  generationStarted(temperature: number): void;
  text(piece: string): void;
  generationEnded(completionTokens: number): void;
  attempted(attempt: Attempt): void;
  taskEnded(record: RunRecord): void;
}

export interface RunTasksInput {
  readonly tasks: readonly Task[];
  readonly model: TextModel;
  readonly sandbox: Sandbox;
  readonly repairTask: RepairTask;
  /** Every task and sample draws its own seed from it. */
  readonly seed: number;
  readonly append: (record: RunRecord) => Promise<void>;
  readonly events: RunEvents;
  readonly signal: AbortSignal;
  /** Milliseconds of a clock that only goes forward. */
  readonly now: () => number;
}

/**
 * Runs the agent on each task and appends each record as its task ends.
 * Rejects with the signal's reason if aborted; the task that was under way is then not recorded.
 */
export async function runTasks(input: RunTasksInput): Promise<void> {
  for (const task of input.tasks) {
    input.signal.throwIfAborted();
    input.events.taskStarted(task);
    const record = await runTask(task, 0, input);
    input.signal.throwIfAborted();
    await input.append(record);
    input.events.taskEnded(record);
  }
}

async function runTask(task: Task, sample: number, input: RunTasksInput): Promise<RunRecord> {
  const executions = new Map<string, Execution>();
  const started = input.now();
  const outcome = await input.repairTask({
    task,
    model: watchModel(input.model, input.events),
    sandbox: watchSandbox(input.sandbox, executions),
    seed: derivedSeed(input.seed, task.id, sample),
    signal: input.signal,
    onState: state => input.events.state(state),
    onAttempt: attempt => input.events.attempted(attempt),
  });
  const seconds = (input.now() - started) / 1000;
  return recordOf({ task, sample, outcome, executions, isolation: input.sandbox.isolation, seconds });
}

function watchModel(model: TextModel, events: RunEvents): TextModel {
  return {
    name: model.name,
    fingerprint: model.fingerprint,
    async generate(request, options) {
      // The agent calls as it enters a state; who watches it is told of the state right after.
      await Promise.resolve();
      events.generationStarted(request.temperature);
      const onText = (piece: string) => {
        events.text(piece);
        options?.onText?.(piece);
      };
      const completion = await model.generate(request, { ...options, onText });
      events.generationEnded(completion.completionTokens);
      return completion;
    },
    close: () => model.close(),
  };
}

/** Keeps what a verdict leaves out: the candidate's output and exit status. */
function watchSandbox(sandbox: Sandbox, executions: Map<string, Execution>): Sandbox {
  return {
    isolation: sandbox.isolation,
    checkSyntax: (language, code, signal) => sandbox.checkSyntax(language, code, signal),
    async execute(request, signal) {
      const execution = await sandbox.execute(request, signal);
      executions.set(request.candidate, execution);
      return execution;
    },
    close: () => sandbox.close(),
  };
}
