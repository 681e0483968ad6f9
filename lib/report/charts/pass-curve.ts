import { percent } from '../numbers.ts';
import type { Summary } from '../summary.ts';
import { firstCandidateName } from '../task-runs.ts';
import { type Chart, DEFAULT_HEIGHT, quantity, SHARE_AXIS, shareLimit } from './chart.ts';
import type { Theme } from './theme.ts';

/** The share solved within each number of iterations; without test feedback, by number of samples. */
export function passCurve(summary: Summary, theme: Theme): Chart {
  return summary.with_test_feedback.length > 1 ? byIteration(summary, theme) : bySample(summary, theme);
}

function byIteration({ with_test_feedback: curve, first_candidate }: Summary, theme: Theme): Chart {
  const values = curve.map(({ iterations, value, low, high }) => ({ at: iterations, value, low, high }));
  const first = firstCandidateName(first_candidate?.chosen_with ?? 'nothing');
  return {
    title: 'Solved within so many iterations',
    note: `Iteration 0 is the ${first_candidate?.chosen_with === 'nothing' ? `draft: ${first}` : first}. Later ones saw the tests fail. Band: 95% interval.`,
    height: DEFAULT_HEIGHT,
    chart: curveOf(values, 'repair iterations', theme),
  };
}

function bySample({ first_candidate, search }: Summary, theme: Theme): Chart {
  const { at_k = [], chosen_with = 'nothing' } = first_candidate ?? {};
  const values = at_k.map(({ k, value, low, high }) => ({ at: k, value, low, high }));
  const by = search ? 'by search, ' : '';
  const how = {
    nothing: 'without tests or examples',
    examples: 'tried on the docstring’s examples before',
    tests: 'tried on the hidden tests before',
  }[chosen_with];
  return {
    title: values.length > 1 ? 'Solved by at least one of k samples' : 'Solved',
    note:
      values.length > 1
        ? `${chosen_with === 'nothing' ? 'pass@k by' : 'By'} the unbiased estimator, ${by}${how}. Band: 95% interval.`
        : `One candidate for each task, ${by}${how}. Line: 95% interval.`,
    height: DEFAULT_HEIGHT,
    chart: curveOf(values, 'k', theme, chosen_with === 'nothing' ? 'pass@' : 'k = '),
  };
}

interface Point {
  readonly at: number;
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

function curveOf(
  values: readonly Point[],
  title: string,
  { first }: Theme,
  single = 'pass@',
): Chart['chart'] {
  const limit = shareLimit(Math.max(0, ...values.map(({ high }) => high)));
  const isSingle = values.length < 2;
  const x = quantity('at', {
    title: isSingle ? null : title,
    scale: { domain: [values[0]?.at ?? 0, values.at(-1)?.at ?? 0], nice: false, zero: false },
    axis: {
      grid: false,
      format: 'd',
      tickMinStep: 1,
      tickCount: Math.min(values.length, 10),
      ...(isSingle ? { values: values.map(({ at }) => at), labelExpr: `'${single}' + datum.label` } : {}),
    },
  });
  const y = quantity('value', { scale: { domain: [0, limit] }, axis: SHARE_AXIS });
  return {
    data: { values: [...values] },
    layer: [
      {
        mark: isSingle
          ? { type: 'rule', color: first, size: 3, opacity: 0.45, strokeCap: 'round' }
          : { type: 'area', color: first, opacity: 0.18 },
        encoding: { x, y: { ...y, field: 'low' }, y2: { field: 'high' } },
      },
      {
        mark: {
          type: 'line',
          color: first,
          strokeWidth: 2.5,
          point: values.length <= MAX_POINTS && { color: first, size: 55, filled: true },
        },
        encoding: { x, y },
      },
      {
        // The first label would overlap the line where that is steep.
        data: { values: values.slice(-1).map(({ at, value }) => ({ at, value, label: percent(value) })) },
        mark: {
          type: 'text',
          fontWeight: 600,
          ...(isSingle ? { align: 'left', dx: 12 } : { align: 'right', dx: -4, dy: -11 }),
        },
        encoding: { x, y, text: { field: 'label' } },
      },
    ],
  };
}

/** With more points than this, the markers would hide the line. */
const MAX_POINTS = 25;
