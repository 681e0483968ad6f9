import type { AgentActors, Choice, ChooseInput, CompareInput, Comparison } from '../../../machines/actors.ts';
import { declaredTypes, generateInputs } from '../../behaviour/generate.ts';
import { alikeProgram, isObserved } from '../../behaviour/observed-program.ts';
import { recordedCalls } from '../../behaviour/recorded-calls.ts';
import { derivedSeed } from '../../core/random.ts';
import { answerOf, readAnswer } from '../answer.ts';
import { pooled } from '../enumerate/pooled.ts';
import { createSearchClock } from '../enumerate/search-clock.ts';
import { collected, singleEdits } from '../enumerate/single-edits.ts';
import { knownChecks } from '../examples/known-checks.ts';
import { likeliest, sampled } from '../propose/propose.ts';
import { styleOf } from '../propose/style.ts';
import { screen } from '../screen/screen.ts';
import type { ActorParts, SamplingOptions } from './agent-actors.ts';
import { combined } from './combine.ts';
import { examineProgram } from './examine.ts';
import { judge } from './judge.ts';
import { rank } from './rank.ts';

/** The actors with a model and a sandbox. */
export function createActors(parts: ActorParts): AgentActors {
  const { model, sandbox, parser, options } = parts;
  const style = styleOf(options, model.nativeTools ?? false);
  const counts = countsAssertions(options);
  const examine: AgentActors['examine'] = (input, signal) => {
    const { task, code, attempts } = input;
    return code === null
      ? style.examine(parser, sandbox, input, signal)
      : examineProgram(parser, sandbox, { task, attempts }, code, signal);
  };
  let enumerated: { readonly buggy: string; readonly codes: readonly string[] } | null = null;
  return {
    propose: (input, signal) =>
      input.beams === null
        ? sampled(parts, style, input, signal)
        : likeliest(parts, style, input, input.beams, signal),
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
    combine: (input, signal) => combined(parser, input, signal),
    compare: (input, signal) => compared(parts, input, signal),
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

const MAX_INPUTS = 200;
const [STEPS_OF_CALL, STEPS] = [5_000, 50_000];

/**
 * Which candidates do the same as the buggy program, or as an attempt that failed, with inputs that resemble those of
 * the known checks. Python and JavaScript; in other languages none does.
 */
async function compared(
  { parser, sandbox, options }: Pick<ActorParts, 'parser' | 'sandbox' | 'options'>,
  { task, attempts, candidates, time }: CompareInput,
  signal: AbortSignal,
): Promise<Comparison> {
  const clock = createSearchClock(time);
  const none = () => ({ alike: candidates.map(() => false), time: clock.time() });
  if (!isObserved(task.language)) return none();
  const { feedback, examples = true } = options;
  const checks = knownChecks(parser, task, attempts, { feedback, examples });
  const tests = checks.map(({ code }) => `${code}\n`).join('');
  const calls = await recordedCalls(sandbox, task, task.buggy, [tests], signal);
  const declared = declaredTypes(parser, task.buggy, task.entryPoint, task.docstring);
  const seed = derivedSeed('inputs', task.id);
  const inputs = [...calls, ...generateInputs(calls, { limit: MAX_INPUTS, seed, declared })];
  if (inputs.length === calls.length) return none();
  const failed = [task.buggy, ...attempts.flatMap(({ candidate }) => candidate ?? [])];
  const programs = candidates.map(({ code }) => code ?? '');
  const given = { inputs, limits: inputs.map(() => STEPS_OF_CALL), budget: STEPS };
  const request = alikeProgram(parser, task.entryPoint, { failed, programs }, given);
  const { stdout, seconds } = await sandbox.execute({ language: task.language, ...request }, signal);
  clock.spend(seconds);
  const found = new Set([...stdout.matchAll(/^@(\d+)$/gm)].map(([, number]) => Number(number)));
  return { alike: candidates.map((_, index) => found.has(index)), time: clock.time() };
}
