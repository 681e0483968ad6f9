import { describe, expect, test } from 'vitest';
import { isWhole, selectDataFiles } from '../../../dataset/hub/select-data-files.ts';
import { languages } from '../../../lib/core/task.ts';

const pack = languages.map(language => `data/${language}/data/humanevalpack.jsonl`);
const converted = languages.map(language => `${language}/test/0000.parquet`);

describe('the layouts of the hub', () => {
  test.each(languages)('HumanEvalPack and its conversion have a folder for %s', language => {
    expect(selectDataFiles(['README.md', 'humanevalpack.py', ...pack], language)).toEqual({
      kind: 'found',
      paths: [`data/${language}/data/humanevalpack.jsonl`],
      language,
    });
    expect(selectDataFiles(converted, language)).toMatchObject({ paths: [`${language}/test/0000.parquet`] });
  });

  test.each([
    ['one file', ['tasks.jsonl'], ['tasks.jsonl']],
    ['a packed file', ['a/tasks.jsonl.gz', 'a/tasks.csv'], ['a/tasks.jsonl.gz']],
    [
      'the test split before others',
      ['data/train-00000-of-00001.parquet', 'data/test-00000-of-00001.parquet'],
      ['data/test-00000-of-00001.parquet'],
    ],
    ['validation before training', ['train.jsonl', 'valid.jsonl'], ['valid.jsonl']],
    [
      'all parts of a table, in order',
      ['data/test-00001-of-00002.parquet', 'data/test-00000-of-00002.parquet'],
      ['data/test-00000-of-00002.parquet', 'data/test-00001-of-00002.parquet'],
    ],
    [
      'all parts of a converted table',
      ['default/test/0001.parquet', 'default/test/0000.parquet'],
      ['default/test/0000.parquet', 'default/test/0001.parquet'],
    ],
    ['Parquet where a table is there twice', ['test.jsonl', 'test.parquet'], ['test.parquet']],
    [
      'the configuration called default',
      ['extra/test/0000.parquet', 'default/test/0000.parquet'],
      ['default/test/0000.parquet'],
    ],
    ['Python where no language is asked for', ['js/test.jsonl', 'python/test.jsonl'], ['python/test.jsonl']],
    ['the only language', ['tasks-rust.jsonl'], ['tasks-rust.jsonl']],
  ])('%s', (_, paths, expected) => {
    expect(selectDataFiles(paths, undefined)).toMatchObject({ kind: 'found', paths: expected });
  });

  test('a language under another name', () => {
    expect(selectDataFiles(['JavaScript.jsonl', 'C++.jsonl'], 'js')).toMatchObject({
      paths: ['JavaScript.jsonl'],
    });
    expect(selectDataFiles(['JavaScript.jsonl', 'C++.jsonl'], 'cpp')).toMatchObject({ paths: ['C++.jsonl'] });
  });
});

describe('rejects', () => {
  test('unreadable file types', () => {
    expect(selectDataFiles(['README.md', 'a.csv', '.cache/b.jsonl'], 'python')).toEqual({ kind: 'no-files' });
  });

  test('another language', () => {
    expect(selectDataFiles(converted.slice(1, 3), undefined)).toMatchObject({ kind: 'no-language' });
    expect(selectDataFiles(['go/test.jsonl'], 'rust')).toEqual({ kind: 'no-language', languages: ['go'] });
  });

  test('several tables', () => {
    expect(selectDataFiles(['easy/test.jsonl', 'hard/test.jsonl'], 'python')).toEqual({
      kind: 'ambiguous',
      choices: ['easy/test.jsonl', 'hard/test.jsonl'],
    });
  });
});

test('a table with missing parts is incomplete', () => {
  expect(isWhole(['data/test-00000-of-00002.parquet'])).toBe(false);
  expect(isWhole(['data/test-00000-of-00001.parquet'])).toBe(true);
  expect(isWhole(['tasks.jsonl.gz'])).toBe(true);
});
