import { fromPromise } from 'xstate';
import type { AgentActors, Choice, ChooseInput } from '../../../machines/actors.ts';
import { answerOf, pooled, readAnswer, singleEdits } from '../candidates.ts';
import { collected, createSearchClock } from '../enumerate/search-clock.ts';
import { codeStyle, likeliest, rank, type Style, sampled } from '../propose/propose.ts';
import { screen } from '../screen/screen.ts';
import type { ActorParts, SamplingOptions, StyleOptions } from './actor-parts.ts';
import { examineProgram, judge } from './examine.ts';

/** The actors with a model and a sandbox. */
export function createActors(parts: ActorParts): AgentActors {
  const { model, sandbox, parser, options } = parts;
  const styled = styleOf(options, model.nativeTools ?? false);
  const counts = countsAssertions(options);
  const examine: AgentActors['examine'] = async (input, signal) => {
    const { task, code, attempts } = input;
    return code === null
      ? await (await styled).examine(parser, sandbox, input, signal)
      : await examineProgram(parser, sandbox, { task, attempts }, code, signal);
  };
  let enumerated: { readonly buggy: string; readonly codes: readonly string[] } | null = null;
  return {
    async propose(input, signal) {
      const style = await styled;
      return input.beams === null
        ? await sampled(parts, style, input, signal)
        : await likeliest(parts, style, input, input.beams, signal);
    },
    async enumerate({ task, limit, answers, time }, signal) {
      const clock = createSearchClock(time);
      if (enumerated?.buggy !== task.buggy) {
        const codes = await collected(singleEdits(parser, task, limit), clock, signal);
        enumerated = { buggy: task.buggy, codes };
      }
      const read = (answers ?? []).map(answer => readAnswer(parser, task, answer));
      const kind = options.answer === 'edit' ? 'beam' : 'sample';
      return { ...pooled(parser, read, enumerated.codes, kind), time: clock.time() };
    },
    screen: (input, signal) => screen(parts, examine, input, signal),
    rank: (input, signal) => rank(parts, input, signal),
    combine: async (input, signal) => (await import('./combine.ts')).combined(parser, input, signal),
    compare: async (input, signal) => (await import('./compare.ts')).compared(parts, input, signal),
    choose: (input, signal) => choose(input, examine, signal),
    examine,
    execute: (input, signal) =>
      judge(sandbox, input, { seed: options.seed, judge: options.judge, counts }, signal),
  };
}

/** Counting takes as long as judging; no prompt of the agent `search`, or about edits, says how many pass. */
function countsAssertions({ agent, feedback, protocol, answer }: SamplingOptions): boolean {
  const isEdit = answer === 'edit' && agent !== 'tools' && protocol === undefined;
  return feedback === 'tests' && agent !== 'search' && !isEdit;
}

/** Takes the first candidate that is new and can be run. */
async function choose(
  { task, attempts, candidates, limit }: ChooseInput,
  examine: AgentActors['examine'],
  signal: AbortSignal,
): Promise<Choice> {
  for (const [index, candidate] of candidates.slice(0, limit).entries()) {
    const { code, answer = '' } = candidate;
    const seen = await examine({ task, completion: answer, code, attempts }, signal);
    if (seen.verdict === null && !seen.repeated) return { chosen: index, answer: answerOf(task, candidate) };
  }
  return { chosen: null, answer: '' };
}

/** The actors of a task as those of its machine: `machine.provide({ actors: promiseActors(actors) })`. */
export function promiseActors(actors: AgentActors) {
  return {
    propose: promiseActor(actors.propose),
    enumerate: promiseActor(actors.enumerate),
    screen: promiseActor(actors.screen),
    rank: promiseActor(actors.rank),
    combine: promiseActor(actors.combine),
    compare: promiseActor(actors.compare),
    choose: promiseActor(actors.choose),
    examine: promiseActor(actors.examine),
    execute: promiseActor(actors.execute),
  };
}

/** Starts once the machine has reported the state that calls it. */
function promiseActor<Input, Output>(compute: (input: Input, signal: AbortSignal) => Promise<Output>) {
  return fromPromise<Output, Input>(async ({ input, signal }) => {
    await Promise.resolve();
    return await compute(input, signal);
  });
}

/** `nativeTools`: the model supports tools natively. */
export async function styleOf(options: StyleOptions, nativeTools: boolean): Promise<Style> {
  const { agent, protocol, template = 'chat' } = options;
  if (protocol) return (await import('../propose/protocol-style.ts')).protocolStyle(protocol, template);
  if (agent === 'tools') return (await import('../propose/tool-style.ts')).toolStyle(options, nativeTools);
  return await codeStyle(options);
}
