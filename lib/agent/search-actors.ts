import { fromPromise } from 'xstate';
import type {
  CombinePairsInput,
  EnumerateInput,
  Enumeration,
  PrescreenInput,
  Prescreening,
  RankInput,
  Ranking,
} from '../../machines/actors.ts';
import { editedCode, editPairs, singleEdits } from '../search/candidates.ts';
import { prescreenPrograms } from '../search/prescreen.ts';
import { rankEdits } from '../search/rank.ts';
import type { ActorParts } from './actor-parts.ts';

/** The actors of the agent `search` alone. */
export function createSearchActors({ model, sandbox, parser, options, now }: ActorParts) {
  const since = (started: number) => (now() - started) / 1000;
  return {
    enumerate: fromPromise<Enumeration, EnumerateInput>(async ({ input }) => {
      const started = now();
      const edits = singleEdits(parser, input.task, input.most);
      return { edits, seconds: since(started) };
    }),
    rank: fromPromise<Ranking, RankInput>(async ({ input, signal }) => {
      const { task, edits } = input;
      const ranked = await rankEdits(model, task, edits, options.answer ?? 'whole', signal);
      if (!ranked) return { edits, prompt: [], tokens: { prompt: 0, completion: 0 }, seconds: 0 };
      const prompt = ranked.messages.map(({ role, content }) => ({ role, content }));
      return { edits: ranked.edits, prompt, tokens: ranked.tokens, seconds: ranked.seconds };
    }),
    prescreen: fromPromise<Prescreening, PrescreenInput>(async ({ input, signal }) => {
      const { task, edits, suite } = input;
      const started = now();
      const programs = edits.map(edit => editedCode(task, edit) ?? '');
      const tests = suite === 'tests' ? task.tests : task.exampleTests;
      const prescreened = await prescreenPrograms(parser, sandbox, task, programs, tests, signal);
      return { ...prescreened, seconds: since(started) };
    }),
    combinePairs: fromPromise<Enumeration, CombinePairsInput>(async ({ input }) => {
      const started = now();
      const { task, edits, held, most } = input;
      return { edits: editPairs(parser, task, edits, held, most), seconds: since(started) };
    }),
  };
}
