import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandTables } from '../../lib/options/command-tables.ts';
import { longName } from '../../lib/options/option.ts';
import { withWorkers } from '../../lib/options/settings.ts';
import { parseRunOptions } from '../../lib/options/tables/run-options.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('run options', () => {
  test.each([{ dtype: 'q4' }, { device: 'cuda' }, { threads: '2' }, { noLookup: true }])(
    'options of local models are refused with a server: %j',
    given => {
      expect(() => parseRunOptions({ backend: 'openai', model: 'some-model', ...given })).toThrow(
        expect.objectContaining({ code: 'OPTION_INVALID' }),
      );
    },
  );

  test('have the documented defaults', () => {
    expect(parseRunOptions({})).toMatchObject({
      backend: 'onnx',
      dataset: 'mini',
      iters: 3,
      agent: 'reflect',
      feedback: 'tests',
      temperature: 0,
      schedule: 'ramp',
      timeout: 10,
      memory: 1024,
    });
  });

  test('are the same from text and from code', () => {
    const text = { iters: '0', temperature: '0.5', topP: '.9', seed: '4294967295', timeout: '0.5' };
    const typed = { iters: 0, temperature: 0.5, topP: 0.9, seed: 4294967295, timeout: 0.5 };
    expect(parseRunOptions(text)).toEqual(parseRunOptions(typed));
  });

  test('use the bundled set of the language', () => {
    expect(parseRunOptions({ lang: 'js' }).dataset).toBe('mini-js');
    expect(parseRunOptions({ lang: 'java' }).dataset).toBe('mini-java');
    expect(parseRunOptions({ lang: 'rust' }).dataset).toBe('mini-rust');
    expect(() => parseRunOptions({ lang: 'cobol' })).toThrow(
      '--lang is "cobol", expected one of python, js, go, rust, cpp, java.',
    );
  });

  test.each([
    ['iters', 'abc', '--iters is "abc", expected a whole number from 0 to 1000.'],
    ['iters', '-1', '--iters is "-1", expected a whole number from 0 to 1000.'],
    ['iters', '1.5', '--iters is "1.5", expected a whole number from 0 to 1000.'],
    ['iters', '', '--iters is "", expected a whole number from 0 to 1000.'],
    ['iters', ' 3', '--iters is " 3", expected a whole number from 0 to 1000.'],
    ['iters', '0x10', '--iters is "0x10", expected a whole number from 0 to 1000.'],
    [
      'iters',
      '99999999999999999999',
      '--iters is "99999999999999999999", expected a whole number from 0 to 1000.',
    ],
    ['iters', Number.NaN, '--iters is NaN, expected a whole number from 0 to 1000.'],
    ['limit', '0', '--limit is "0", expected a whole number from 1 to 1000000.'],
    ['topP', '0', '--top-p is "0", expected a number above 0, at most 1.'],
    ['temperature', 'Infinity', '--temperature is "Infinity", expected a number from 0 to 2.'],
    ['timeout', '0', '--timeout is "0", expected seconds, above 0, at most 3600.'],
    ['model', '', '--model is "", expected a short name, a hub id, a folder or a GGUF file.'],
    ['tasks', '  ', '--tasks is "  ", expected task ids or globs, separated by commas.'],
    ['agent', 'best', '--agent is "best", expected one of reflect, react, tools, search, one-shot.'],
    ['dtype', 'fp16', '--dtype is "fp16", expected one of auto, fp32, q8, q4, q4-128, w8a8.'],
    ['device', 'gpu', '--device is "gpu", expected one of cpu, cuda, webgpu, coreml, dml.'],
    ['threads', '0', '--threads is "0", expected a whole number from 1 to 1024.'],
    ['schedule', 'up', '--schedule is "up", expected one of ramp, anneal, constant.'],
    ['answer', 'diff', '--answer is "diff", expected one of auto, whole, edit.'],
    ['beams', '65', '--beams is "65", expected a whole number from 0 to 64.'],
    ['beams', '-1', '--beams is "-1", expected a whole number from 0 to 64.'],
    ['beamPrompt', 'all', '--beam-prompt is "all", expected one of first, each.'],
    ['budget', '-1', '--budget is "-1", expected a whole number from 0 to 100000.'],
    ['candidates', '0', '--candidates is "0", expected a whole number from 1 to 1000.'],
    ['searchSeconds', '0', '--search-seconds is "0", expected seconds, above 0, at most 3600.'],
  ])('refuse %s %j', (key, value, message) => {
    expect(() => parseRunOptions({ [key]: value })).toThrow(
      expect.objectContaining({ code: 'OPTION_INVALID', message }),
    );
  });

  test('options of search require it, and exclude iterations', () => {
    expect(parseRunOptions({ agent: 'search' })).toMatchObject({ feedback: 'examples', iters: 0 });
    const search = { agent: 'search', budget: '70', noRank: true, feedback: 'none' };
    expect(parseRunOptions(search)).toMatchObject({ budget: 70, noRank: true, feedback: 'none' });
    expect(() => parseRunOptions({ agent: 'search', iters: 3 })).toThrow(
      expect.objectContaining({
        message: '--iters and --agent search cannot be combined.',
        hint: 'It has no iterations; use --budget.',
      }),
    );
  });

  test('refuse beam options when beams are off', () => {
    expect(parseRunOptions({ beamPrompt: 'each', beams: '4' })).toMatchObject({
      beamPrompt: 'each',
      beams: 4,
    });
    expect(parseRunOptions({ beamPrompt: 'each' })).toMatchObject({ beamPrompt: 'each' });
    expect(() => parseRunOptions({ beamPrompt: 'each', beams: 0 })).toThrow(
      '--beam-prompt and --beams 0 cannot be combined.',
    );
  });

  test('refuse unknown options, and name the nearest', () => {
    expect(() => parseRunOptions({ maxTokens: 3, itres: 3 })).toThrow(
      expect.objectContaining({ code: 'OPTION_UNKNOWN' }),
    );
    expect(() => parseRunOptions({ itrs: 3 })).toThrow(
      expect.objectContaining({ hint: 'Did you mean --iters?' }),
    );
  });

  test('refuse to resume without a file, and to be quiet and verbose', () => {
    expect(() => parseRunOptions({ resume: true })).toThrow('--out');
    expect(() => parseRunOptions({ quiet: true, verbose: true })).toThrow('--verbose');
  });

  test('come from .env in the current folder if the environment has none', async () => {
    const before = process.cwd();
    const folder = await temporaryFolder();
    await writeFile(join(folder, '.env'), 'WORKERS=3\n');
    process.chdir(folder);
    try {
      expect(withWorkers({}, {})).toEqual({ workers: '3' });
      expect(withWorkers({}, { WORKERS: '4' })).toEqual({ workers: '4' });
    } finally {
      process.chdir(before);
    }
  });

  test('use WORKERS if --workers is not given', () => {
    expect(withWorkers({}, { WORKERS: '4' })).toEqual({ workers: '4' });
    expect(withWorkers({ workers: '2' }, { WORKERS: '4' })).toEqual({ workers: '2' });
    expect(withWorkers({}, { WORKERS: '' })).toEqual({});
    expect(() => withWorkers({}, { WORKERS: 'many' })).toThrow(
      expect.objectContaining({ message: 'WORKERS is "many", expected a whole number from 1 to 1000.' }),
    );
  });
});

test('the bounds that an option names are those that it accepts', async () => {
  const numbers = Object.entries(await commandTables()).flatMap(([command, table]) =>
    Object.entries(table).flatMap(([key, { schema }]) => {
      const bounds = boundsOf(schema.safeParse('x').error?.issues[0]?.message ?? '');
      return bounds === null ? [] : [{ name: `${command} ${longName(key)}`, schema, ...bounds }];
    }),
  );
  expect(numbers.length).toBeGreaterThan(100);
  const wrong = numbers.filter(({ schema, min, isOpen, max }) => {
    const accepts = (value: number) => schema.safeParse(value).success;
    const isAbove = !accepts(min - 1e-6) && accepts(min) === !isOpen && (!isOpen || accepts(1));
    return !isAbove || (max !== null && (!accepts(max) || accepts(max + 1)));
  });
  expect(wrong.map(({ name }) => name)).toEqual([]);
});

/** The bounds in a sentence such as «seconds, above 0, at most 3600»; null if it is about no number. */
function boundsOf(message: string) {
  const [, from, to] = /\b(?:from )?(\d+) to (\d+)$/.exec(message) ?? [];
  if (from !== undefined) return { min: Number(from), isOpen: false, max: Number(to) };
  const [, kind, min, max] = /\b(above|at least|of at least) (\d+)(?:, at most (\d+))?$/.exec(message) ?? [];
  if (kind === undefined) return null;
  return { min: Number(min), isOpen: kind === 'above', max: max === undefined ? null : Number(max) };
}
