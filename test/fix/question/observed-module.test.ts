import { expect, test } from 'vitest';
import { functionsIn } from '../../../lib/fix/localise/functions.ts';
import { readSource } from '../../../lib/fix/patch/source-file.ts';
import {
  observingJavaScriptMethod,
  recordingJavaScriptMethod,
} from '../../../lib/fix/question/observed-module.ts';
import { openTypeScriptParser } from '../../../lib/syntax/parser.ts';

const parser = await openTypeScriptParser(false);
const recordingOf = (text: string, qualified: string) => {
  const found = functionsIn(parser, readSource('box.ts', Buffer.from(text))).find(
    each => each.qualified === qualified,
  );
  if (!found) throw new Error(`There is no ${qualified}.`);
  return recordingJavaScriptMethod(parser, text, found);
};

test.each([
  ['a static method', 'class Box { static size() { return 1; } }'],
  ['a getter', 'class Box { get size() { return 1; } }'],
  ['an asynchronous method', 'class Box { async size() { return 1; } }'],
  ['a generator', 'class Box { *size() { yield 1; } }'],
  ['an object whose state is hidden', 'class Box { #held = 0; size() { return this.#held++; } }'],
  ['a constructor that returns', 'class Box { constructor() { return {}; } size() { return 1; } }'],
  ['a class of a function', 'function make() { return class Box { size() { return 1; } }; }'],
  ['no class', 'const Box = { size() { return 1; } };'],
])('%s is not called', (_, text) => {
  const name = text.startsWith('function') ? 'make.Box.size' : 'Box.size';
  const has = functionsIn(parser, readSource('box.ts', Buffer.from(text))).some(
    ({ qualified }) => qualified === name,
  );
  expect(has ? recordingOf(text, name) : null).toBeNull();
});

test('methods of TypeScript are recorded and called, and their lines stay', () => {
  const text = `export class Box<T> {
  constructor(private readonly held: T[]) {}

  size(factor: number = 1): number {
    return this.held.length + factor;
  }
}
`;
  const recording = recordingOf(text, 'Box.size') ?? '';
  expect(recording.split('\n').length).toBe(text.split('\n').length);
  const observing = observingJavaScriptMethod(
    parser,
    text,
    { owner: 'Box', name: 'size', made: 1 },
    {
      codes: ['function size(factor: number = 1): number {\n  return this.held.length * factor;\n}\n'],
      inputs: [[['list', [1, 2]], 3]],
      ...{ limits: [100], budget: 1000 },
    },
  );
  for (const code of [recording, observing]) expect(parser.read(code, root => root.hasError)).toBe(false);
});
