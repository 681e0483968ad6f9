import { createActor, fromPromise } from 'xstate';
import type { VerdictKind } from '../../lib/core/verdict.ts';
import type {
  Examination,
  ExamineInput,
  ExecuteInput,
  Judgement,
  Proposal,
  ProposeInput,
} from '../../machines/actors.ts';
import { type AgentMachine, type AgentSnapshot, expectToEnd, inputOf } from './outcomes.ts';

interface RunOptions {
  readonly from?: string;
  readonly onSnapshot?: (snapshot: string) => void;
}

/** Runs the machine to its end; each attempt gets the verdict at its index in the list. */
export async function runMachine(
  agent: AgentMachine,
  kinds: readonly string[],
  { from, onSnapshot }: RunOptions = {},
): Promise<Pick<AgentSnapshot, 'context' | 'value'>> {
  const verdictOf = (iteration: string) => ({ kind: kinds[Number(iteration)] as VerdictKind, message: '' });
  const machine = agent.provide({
    actors: {
      propose: fromPromise<Proposal, ProposeInput>(async ({ input: { iteration, node, temperature } }) => {
        const tokens = { prompt: 0, completion: 0 };
        return { node, temperature, prompt: [], answers: [`${iteration}`], isAnswered: true, tokens };
      }),
      examine: fromPromise<Examination, ExamineInput>(async ({ input: { completion: candidate } }) => {
        const verdict = verdictOf(candidate);
        return {
          candidate,
          verdict: verdict.kind === 'syntax' ? verdict : null,
          repeated: false,
          unchanged: false,
        };
      }),
      execute: fromPromise<Judgement, ExecuteInput>(async ({ input: { candidate } }) => ({
        verdict: verdictOf(candidate),
        seconds: 0,
      })),
    },
  });
  const actor = createActor(machine, {
    input: inputOf({ maxIterations: kinds.length - 1 }),
    ...(from === undefined ? {} : { snapshot: JSON.parse(from) }),
  });
  await new Promise<void>((complete, error) => {
    actor.subscribe({
      next(snapshot) {
        try {
          expectToEnd(snapshot);
        } catch (endless) {
          actor.stop();
          error(endless);
        }
        onSnapshot?.(JSON.stringify(actor.getPersistedSnapshot()));
      },
      complete,
      error,
    });
    actor.start();
  });
  const { context, value } = actor.getSnapshot();
  return { context, value };
}
