import type { Value } from '../literals.ts';
import {
  type AssertionWriter,
  all,
  character,
  dynamic,
  fraction,
  integer,
  isRounded,
  itemsOf,
  mapped,
  text,
  truth,
  within,
} from './assertion-writer.ts';

/** Assertions of testify, on one value each. */
export const go: AssertionWriter = {
  write,
  assertion({ name, result }, { args, wanted, expected }) {
    const call = `${name}(${args.join(', ')})`;
    if (wanted === 'nil') return `assert.Nil(${call})`;
    // Nothing is either nil or empty.
    if (/^(?:\[\]|map\[)/.test(result) && itemsOf(expected)?.length === 0) return `assert.Empty(${call})`;
    if (/^float/.test(result) && isRounded(expected)) return `assert.InDelta(${wanted}, ${call}, 1e-6)`;
    const isTyped = !/^(?:u?int(?:8|16|32|64)|uint|byte|rune|float32)$/.test(result);
    return `assert.Equal(${isTyped ? wanted : `${result}(${wanted})`}, ${call})`;
  },
  program: assertions =>
    [
      'package main\n\nimport (\n\t"testing"\n\n\t"github.com/stretchr/testify/assert"\n)\n',
      'func TestExamples(t *testing.T) {\n\tassert := assert.New(t)',
      ...assertions.map(line => `\t${line}`),
      '}\n',
    ].join('\n'),
};

function write(value: Value, type: string): string | null {
  if (type === 'bool') return truth(value);
  if (type === 'string') return text(value);
  if (/^(?:rune|byte|int32|uint8)$/.test(type) && value.kind === 'string') return character(value);
  if (/^(?:u?int\d*|byte|rune)$/.test(type)) return integer(value, /^[ub]/.test(type));
  if (/^float\d\d$/.test(type)) return fraction(value);
  if (/^(?:any|interface\s*\{\s*\})$/.test(type)) return value.kind === 'nothing' ? 'nil' : dynamic(value);
  if (value.kind === 'nothing') return /^(?:\[\]|map\[|\*)/.test(type) ? 'nil' : null;
  const [, count, item] = /^\[(\d*)\](.+)$/s.exec(type) ?? [];
  if (item !== undefined) {
    const items = itemsOf(value);
    const written = items && all(items, each => write(each, item));
    if (!written || (count !== '' && written.length !== Number(count))) return null;
    return `${type}{${written.join(', ')}}`;
  }
  const [, key, entry] = /^map\[(\w+)\](.+)$/s.exec(type) ?? [];
  if (key === undefined || entry === undefined) return null;
  const writeKey = (each: Value) => write(each, key);
  const writeEntry = (each: Value) => write(each, entry);
  const written = mapped(value, writeKey, writeEntry, (k, held) => `${k}: ${held}`);
  return within(written, pairs => `${type}{${pairs}}`);
}
