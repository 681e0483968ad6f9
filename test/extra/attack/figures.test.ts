import { expect, test } from 'vitest';
import { attackCases } from '../../../lib/extra/attack/attack-cases.ts';
import { pageOf } from '../../support/pages.ts';

const benchmarks = pageOf('docs/benchmarks.md');

test('as many attacks are in the list as the figures say', () => {
  const count = (language: string, kind: string) =>
    attackCases().filter(one => one.language === language && one.kind === kind).length;
  const [go, rust, cpp, java] = ['go', 'rust', 'cpp', 'java'].map(language => count(language, 'attack')) as [
    number,
    number,
    number,
    number,
  ];
  const honest = ['go', 'rust', 'cpp', 'java'].map(language => count(language, 'honest'));
  for (const sentence of [
    `0 of ${count('python', 'attack')} proven, 128 in one process | 631 of ${count('python', 'honest')} |`,
    `none of ${go + rust + cpp + java} attacks passes (Go ${go}, Rust ${rust}, C++ ${cpp}, Java ${java})`,
    `all ${honest.reduce((a, b) => a + b)} honest programs are judged right`,
  ])
    expect(benchmarks).toContain(sentence);
});
