/** Tests that say nothing about a candidate, and what is wrong with them. */
export const faultyTests: ReadonlyArray<readonly [name: string, tests: string, fault: string]> = [
  ['do not parse', 'assert f(1) =', 'The tests do not parse: invalid syntax (line 1).'],
  ['are empty', '', 'The tests assert nothing.'],
  ['assert nothing', 'f(1)\nprint(f(2))', 'The tests assert nothing.'],
  ['assert only what always holds', 'f(1)\nassert True, "unreachable"', 'The tests assert nothing.'],
  ['never name the entry point', 'assert 1 + 1 == 2', 'The tests never call f.'],
  ['name it but never call it', 'g = f\nassert 1 + 1 == 2', 'The tests never call f.'],
  [
    'fail before they call it',
    'assert 1 == 2\nassert f(1) == 1',
    'The tests fail before they call f (line 1): The tests got 1, but want 2.',
  ],
];
