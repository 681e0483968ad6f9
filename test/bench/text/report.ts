import { sumOf } from '../../../lib/core/numbers.ts';
import type { Engine, Measured } from '../model/engine.ts';
import type { RecordedAnswer } from './recorded-answers.ts';

export interface RunningEngine {
  readonly engine: Engine;
  /** One for each answer. */
  readonly measured: Measured[];
}

/**
 * A table of processor times: with one thread, what an idle machine takes. The time of whole answers, that until their
 * first token and that of each later token are relative to those of the first engine.
 */
export function textTable(
  engines: readonly RunningEngine[],
  answers: readonly RecordedAnswer[],
  mode: RecordedAnswer['mode'],
  peaks: readonly number[],
): string {
  const indices = answers.flatMap((answer, index) => (answer.mode === mode ? [index] : []));
  const tokens = sumOf(indices, index => answers[index]?.answer.length ?? 0);
  const rows = engines.map(({ engine, measured }, place) => {
    const mine = indices.flatMap(index => measured[index] ?? []);
    const whole = sumOf(mine, ({ cpuSeconds }) => cpuSeconds);
    const first = sumOf(mine, one => one.first.cpuSeconds);
    const drafted = sumOf(mine, one => one.drafted ?? 0);
    const accepted = sumOf(mine, one => one.accepted ?? 0);
    return {
      name: engine.name,
      whole,
      first,
      token: (whole - first) / (tokens - indices.length),
      tokensPerPass: tokens / sumOf(mine, ({ passes }) => passes),
      accepted: drafted === 0 ? '' : `${Math.round((100 * accepted) / drafted)}%`,
      peak: Math.round(peaks[place] ?? Number.NaN),
    };
  });
  const [reference] = rows;
  if (reference === undefined || indices.length === 0) return '';
  const lines = rows.map(({ name, whole, first, token, tokensPerPass, accepted, peak }) => [
    name,
    (whole / reference.whole).toFixed(2),
    (first / reference.first).toFixed(2),
    (token / reference.token).toFixed(2),
    `${(1000 * token).toFixed(1)} ms`,
    tokensPerPass.toFixed(2),
    accepted,
    `${peak} MiB`,
  ]);
  const head = [mode, 'whole', 'first token', 'later token', '', 'tokens a pass', 'accepted', 'peak'];
  return [head, ...lines].map(cells => `| ${cells.join(' | ')} |`).join('\n');
}

export function answersText(answers: readonly RecordedAnswer[], threads: number): string {
  return (['greedy', 'sampled'] as const)
    .flatMap(mode => {
      const these = answers.filter(answer => answer.mode === mode);
      if (these.length === 0) return [];
      const mean = (length: (answer: RecordedAnswer) => number) =>
        Math.round(sumOf(these, length) / these.length);
      return `${these.length} ${mode} answers, on average ${mean(({ prompt }) => prompt.length)} tokens of prompt and ${mean(({ answer }) => answer.length)} of answer; threads: ${threads}`;
    })
    .join('\n');
}
