import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { RunRecord } from '../../lib/core/record.ts';
import { bugTypes } from '../../lib/core/task.ts';
import { verdictKinds } from '../../lib/core/verdict.ts';
import { packageFile } from '../../lib/files/package.ts';
import { loadDraw } from '../../lib/report/charts/draw.ts';
import { chartWidth, drawPage, drawWebPage, type Page, paintPage } from '../../lib/report/charts/page.ts';
import { sweepCharts } from '../../lib/report/charts/sweep-charts.ts';
import { themes } from '../../lib/report/charts/theme.ts';
import { escaped, loadDrawingPackages, loadTypeSetting } from '../../lib/report/charts/type-setting.ts';
import { runPage } from '../../lib/report/pages/run-page.ts';
import type { Results } from '../../lib/report/results/read-results.ts';
import type { SweepRow } from '../../lib/report/sweep.ts';
import { recordWith } from '../run/fakes.ts';
import { manifestWith } from './manifest.ts';

/** Every third run passes, each in another iteration; verdicts, bug types and times vary. */
function recordsOf(tasks: number, samples = 1, changed: Partial<RunRecord> = {}): RunRecord[] {
  return Array.from({ length: tasks * samples }, (_, place) => {
    const passed = place % 3 === 0;
    return recordWith({
      task_id: `HumanEvalPack/Python/${Math.floor(place / samples)}`,
      index: Math.floor(place / samples),
      sample: place % samples,
      bug_type: bugTypes[place % bugTypes.length] ?? null,
      passed,
      iters: passed ? place % 4 : 3,
      verdict: { kind: passed ? 'passed' : (verdictKinds[1 + (place % 9)] ?? 'failed'), message: '' },
      runtime_sec: 1 + ((place * 7) % 50),
      timings_sec: { proposal: (place * 7) % 50, execution: 0.5, reflection: 0 },
      token_usage: { prompt: 400 + place, completion: (place * 31) % 900, nodes: {} },
      ...changed,
    });
  });
}

function longNamed(record: RunRecord): RunRecord {
  return { ...record, task_id: `bigcode-project/humanevalpack-extended/${record.task_id}` };
}

function resultsOf(records: readonly RunRecord[], options = {}): Results {
  return { path: 'r.jsonl', records, manifest: manifestWith(options), inProgress: false };
}

/** The bounds of everything drawn, as reported by the renderer. */
async function boundsOf(svg: string, width: number, height: number) {
  await loadTypeSetting();
  const { Resvg } = await loadDrawingPackages();
  const framed = svg.replace(/^<svg /, '<svg x="500" y="500" overflow="visible" ');
  const size = `width="${width + 1000}" height="${height + 1000}"`;
  const font = { loadSystemFonts: false, fontBuffers: fonts, defaultFontFamily: 'Inter' };
  const box = new Resvg(`<svg xmlns="http://www.w3.org/2000/svg" ${size}>${framed}</svg>`, {
    font,
  }).getBBox();
  if (box === undefined) throw new Error('Nothing is drawn.');
  return {
    left: box.x - 500,
    top: box.y - 500,
    right: box.x + box.width - 500,
    bottom: box.y + box.height - 500,
  };
}

const fonts = ['400Regular/Inter_400Regular.ttf', '600SemiBold/Inter_600SemiBold.ttf'].map(file =>
  readFileSync(packageFile(`node_modules/@expo-google-fonts/inter/${file}`)),
);

/** Pixels between a chart and the edge of its card, excluding the padding of labels. */
const MARGIN = 22 - 8;

test('names, notes and sentences are complete on a phone, on several lines', async () => {
  const page = runPage(resultsOf(recordsOf(5)), 'light');
  const svg = await drawWebPage(page, 'light', 'narrow');
  const lines = [...svg.matchAll(/<text [^>]*>([^<]+)<\/text>/g)].map(([, words = '']) => words);
  expect(lines.filter(words => words.includes('…'))).toEqual([]);
  const shown = lines.join(' ');
  for (const { name, note } of page.tiles) {
    expect(shown).toContain(name);
    expect(shown).toContain(note);
  }
});

describe('task ids in charts', () => {
  const ids = [
    'bigcode-project/humanevalpack-extended/Python/1',
    'bigcode-project/humanevalpack-extended/Python/2',
    'x'.repeat(60),
  ];
  const records = ids.map((task_id, index) => recordWith({ task_id, index }));

  test.each(['wide', 'narrow'] as const)('are whole on a %s page', async size => {
    const svg = await drawWebPage(runPage(resultsOf(records), 'light'), 'light', size);
    const words = [...svg.matchAll(/<(?:text|tspan)\b[^>]*>([^<]+)/g)].map(([, part = '']) => part).join('');
    for (const id of ids) expect(words).toContain(id);
  });

  test('lose their middle if they fill several lines, and stay distinct', () => {
    const ends = ['1', '2'].map(end => `${'y'.repeat(80)}${end}${'y'.repeat(80)}`);
    const long = ends.map((task_id, index) => recordWith({ task_id, index }));
    const chart = runPage(resultsOf(long), 'light').charts.find(({ title }) => title === 'Tokens per task');
    const names: string[] = Object(chart?.chart).data.values.map(({ task }: { task: string }) => task);
    expect(new Set(names).size).toBe(2);
    // Four of the id, and the outcome.
    expect(names[0]?.split('\n')).toHaveLength(5);
  });
});

describe('all tasks of a benchmark', () => {
  test.each([21, 82, 164])('%i are drawn one by one, with outcome, time and tokens', async count => {
    const { charts } = runPage(resultsOf(recordsOf(count)), 'light');
    for (const title of ['Runtime per task', 'Tokens per task']) {
      const found = charts.find(chart => chart.title === title);
      expect(found?.isWide).toBe(true);
      const values: { place: number; task: string; outcome: string }[] = Object(found?.chart).data.values;
      expect(values).toHaveLength(count);
      expect(values.at(-1)).toMatchObject({ place: count - 1, task: `HumanEvalPack/Python/${count - 1}` });
      expect(values.slice(0, 3).map(({ outcome }) => outcome)).toEqual([
        'solved',
        'not solved',
        'not solved',
      ]);
    }
  });

  test.each(['wide', 'narrow'] as const)('fit on a %s page, with every tenth number', async size => {
    const draw = await loadDraw(themes.light, await loadTypeSetting());
    const width = chartWidth(size);
    const { charts } = runPage(resultsOf(recordsOf(164, 3)), 'light');
    for (const { chart, title, height } of charts.filter(({ isWide }) => isWide)) {
      const { svg } = await draw(chart, width, height);
      const box = await boundsOf(svg, width, height);
      expect([title, box.left > -1, box.right < width + MARGIN, box.bottom < height + 1]).toEqual([
        title,
        true,
        true,
        true,
      ]);
      for (const label of ['>0<', '>20<', '>160<', '>some samples solved<']) expect(svg).toContain(label);
    }
  });

  test('few show the outcome with the name', async () => {
    const svg = await drawWebPage(runPage(resultsOf(recordsOf(5)), 'light'), 'light', 'wide');
    expect(svg.match(/>not solved</g)?.length).toBeGreaterThanOrEqual(6);
  });
});

describe('no chart extends beyond its card', () => {
  test.each<[string, Results]>([
    ['five tasks', resultsOf(recordsOf(5))],
    ['164 tasks', resultsOf(recordsOf(164))],
    ['10,000 records', resultsOf(recordsOf(1000, 10))],
    ['ids of any length', resultsOf(recordsOf(5).map(longNamed))],
    ['no pass', resultsOf(recordsOf(5, 1, { passed: false, iters: 3 }))],
    ['one task with one answer', resultsOf(recordsOf(1, 1, { feedback: 'none' }), { iters: 0 })],
    ['times and tokens of nothing', resultsOf(recordsOf(30, 1, noTimes))],
    ['a search', resultsOf(recordsOf(30, 1, { search, feedback: 'examples' }), { agent: 'search' })],
    ['a search on the tests', resultsOf(recordsOf(30, 1, { search: onTests }), { agent: 'search' })],
    ['a hundred iterations', resultsOf(recordsOf(30), { iters: 100 })],
  ])('%s', async (_, results) => {
    const draw = await loadDraw(themes.light, await loadTypeSetting());
    const { charts } = runPage(results, 'light');
    expect(charts).toHaveLength(6);
    for (const { chart, title, height } of charts) {
      const drawn = await draw(chart, 506, height);
      const box = await boundsOf(drawn.svg, 506, height);
      expect([title, drawn.height]).toEqual([title, height]);
      expect([title, box.left > -1, box.top > -1]).toEqual([title, true, true]);
      expect([title, box.right < 506 + MARGIN, box.bottom < height + 1]).toEqual([title, true, true]);
    }
  });

  test.each([
    [2, 'wide'],
    [6, 'wide'],
    [7, 'wide'],
    [18, 'wide'],
    [6, 'narrow'],
    [18, 'narrow'],
  ] as const)('of a sweep of %i settings on a %s page', async (count, size) => {
    const width = chartWidth(size);
    const draw = await loadDraw(themes.light, await loadTypeSetting());
    const charts = sweepCharts(sweepRowsOf(count), themes.light, width);
    expect(charts.map(({ title }) => title)).toEqual([
      'Solved within so many iterations',
      'Solved by any of 5 samples, within so many iterations',
      'Solved by completion tokens',
      'Solved by time',
    ]);
    for (const { chart, title, height } of charts.slice(1, 3)) {
      const drawn = await draw(chart, width, height);
      const box = await boundsOf(drawn.svg, width, drawn.height);
      expect([title, box.left > -1, box.top > -1]).toEqual([title, true, true]);
      expect([title, box.right < width + MARGIN, box.bottom < drawn.height + 1]).toEqual([title, true, true]);
    }
  });
});

const search = { candidates: 900, tried: 40, rank: 40, ranked: true, tried_on: 'docstring' } as const;
const onTests = { ...search, tried_on: 'tests' } as const;

const noTimes = {
  runtime_sec: 0,
  timings_sec: { proposal: 0, execution: 0, reflection: 0 },
  token_usage: { prompt: 0, completion: 0, nodes: {} },
};

function sweepRowsOf(settings: number): SweepRow[] {
  return Array.from({ length: settings }, (_, setting) =>
    [1, 5].flatMap(k =>
      [0, 1, 2, 3].map(iterations => ({
        settings: {
          agent: setting % 2 === 0 ? 'reflect' : 'react',
          feedback: 'examples',
          temperature: setting / 10,
        },
        iterations,
        k,
        with_test_feedback: iterations > 0,
        chosen_with: 'nothing' as const,
        tasks: 164,
        runs: 820,
        value: 0.1 * iterations,
        low: 0.08 * iterations,
        high: 0.12 * iterations + 0.01,
        completion_tokens_per_run: 1234.5 * (iterations + 1),
        seconds_per_run: 3.25 * (iterations + 1),
      })),
    ),
  ).flat();
}

const page: Page = {
  heading: 'a model on a <dataset> & more',
  details: 'one task '.repeat(60).trim(),
  tiles: [
    { name: 'pass@1', value: '50.0%', note: 'a note that is far too long for so small a tile '.repeat(3) },
  ],
  charts: [],
  columns: 2,
  table: {
    title: 'A table',
    note: 'of nodes',
    header: ['node', 'asked'],
    rows: [['draft', '1,234']],
  },
  warnings: ['What one should know. '.repeat(20).trim()],
};

test('a page looks the same everywhere: text is outlined, with a description for screen readers', async () => {
  const svg = await drawPage(page, 'dark');
  expect(svg).not.toMatch(/<text|font-family|@font-face|href/);
  expect(svg).toContain('<title>a model on a &lt;dataset&gt; &amp; more</title>');
  expect(svg).toContain('pass@1 50.0%');
  const letters = svg.match(/<path /g)?.length ?? 0;
  expect(letters).toBeGreaterThan(10);
  expect(svg).toContain(themes.dark.background);
  const png = await paintPage(svg);
  const height = Number(/height="(\d+)"/.exec(svg)?.[1]);
  const view = new DataView(png.buffer, png.byteOffset);
  expect(Buffer.from(png.subarray(1, 4)).toString()).toBe('PNG');
  expect([view.getUint32(16), view.getUint32(20)]).toEqual([2400, 2 * height]);
});

describe('text', () => {
  test('is measured in the font used', async () => {
    const { width } = await loadTypeSetting();
    expect(width('WWWW', 12)).toBeGreaterThan(2 * width('iiii', 12));
    expect(width('pass@1', 30)).toBeCloseTo(2.5 * width('pass@1', 12), 9);
    expect(width('pass@1', 12, 600)).toBeGreaterThan(width('pass@1', 12));
    expect(width(' ', 12)).toBe(0);
  });

  test('text that is too long keeps its ends, and wraps where allowed', async () => {
    const { width, fitted, wrapped } = await loadTypeSetting();
    expect(fitted('short', 200, 12)).toBe('short');
    const name = fitted('models/an-owner/a-very-long-name-of-a-model', 120, 12);
    expect(name).toMatch(/^models.*….*model$/);
    expect(width(name, 12)).toBeLessThanOrEqual(120);
    const lines = wrapped('one two three four five six', 70, 12);
    expect(lines.join(' ')).toBe('one two three four five six');
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) expect(width(line, 12)).toBeLessThanOrEqual(70);
  });

  test('is always valid XML', () => {
    expect(escaped('<a href="x">&\u0000\ud800\n')).toBe('&lt;a href=&quot;x&quot;&gt;&amp;\ufffd\ufffd\n');
  });
});
