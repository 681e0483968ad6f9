import type { ActorParts } from './actor-parts.ts';
import type { AgentActors } from './agent-actors.ts';
import { collected } from './enumerate/collect.ts';
import type { SearchClock } from './enumerate/search-clock.ts';
import { rankEdits } from './rank/rank.ts';
import { prescreenPrograms } from './screen/prescreen.ts';
import { editedCode, editPairs, singleEdits } from './single-edits.ts';

/** The actors used only by the agent `search`. */
export function createSearchActors(
  { model, sandbox, parser, options, now }: ActorParts,
  clock: SearchClock,
): Pick<AgentActors, 'enumerate' | 'rank' | 'prescreen' | 'combinePairs'> {
  const since = (started: number) => (now() - started) / 1000;
  return {
    async enumerate(input, signal) {
      const started = now();
      const edits = await collected(singleEdits(parser, input.task, input.limit), clock, signal);
      return { edits, seconds: since(started) };
    },
    async rank(input, signal) {
      const { task, edits } = input;
      const ranked = await clock.during(() =>
        rankEdits(model, task, edits, options.answer ?? 'whole', { signal }),
      );
      if (!ranked) return { edits, prompt: [], tokens: { prompt: 0, completion: 0 }, seconds: 0 };
      const prompt = ranked.messages.map(({ role, content }) => ({ role, content }));
      return { edits: ranked.edits, prompt, tokens: ranked.tokens, seconds: ranked.seconds };
    },
    async prescreen(input, signal) {
      const { task, edits, suite } = input;
      const started = now();
      const programs = edits.map(edit => editedCode(task, edit) ?? '');
      const tests = suite === 'tests' ? task.tests : task.exampleTests;
      const { trials, survived } = await prescreenPrograms(parser, sandbox, task, programs, tests, {
        clock,
        signal,
      });
      const assertionsPassed = trials.map(trial => trial.assertionsPassed);
      return { assertionsPassed, survived, timeUp: !survived && clock.isUp(), seconds: since(started) };
    },
    async combinePairs(input, signal) {
      const started = now();
      const { task, edits, assertionsPassed, limit } = input;
      const pairs = await collected(editPairs(parser, task, edits, assertionsPassed, limit), clock, signal);
      return { edits: pairs, seconds: since(started) };
    },
  };
}
