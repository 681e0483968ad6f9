import { fromPromise } from 'xstate';
import type {
  EnumerateInput,
  Enumeration,
  RankInput,
  Ranking,
  SiftInput,
  Sifting,
  WidenInput,
} from '../../machines/actors.ts';
import { editedCode, editPairs, singleEdits } from '../search/candidates.ts';
import { rankEdits } from '../search/rank.ts';
import { siftPrograms } from '../search/sift.ts';
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
    sift: fromPromise<Sifting, SiftInput>(async ({ input, signal }) => {
      const { task, edits, suite } = input;
      const started = now();
      const programs = edits.map(edit => editedCode(task, edit) ?? '');
      const tests = suite === 'tests' ? task.tests : task.exampleTests;
      const sifted = await siftPrograms(parser, sandbox, task, programs, tests, signal);
      return { ...sifted, seconds: since(started) };
    }),
    widen: fromPromise<Enumeration, WidenInput>(async ({ input }) => {
      const started = now();
      const { task, edits, held, most } = input;
      return { edits: editPairs(parser, task, edits, held, most), seconds: since(started) };
    }),
  };
}
