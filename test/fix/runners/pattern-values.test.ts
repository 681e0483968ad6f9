import { execa } from 'execa';
import { expect, test } from 'vitest';
import { packageFile } from '../../../lib/files/package.ts';

const program = `
import json, sys
from outcomes import pattern_values
print(json.dumps(pattern_values(AssertionError(sys.argv[1]))))
`;

/** What pytest's message of a `match` that fails says. */
async function valuesIn(message: string): Promise<unknown> {
  const env = { PYTHONPATH: packageFile('lib/fix/python'), PYTHONDONTWRITEBYTECODE: '1' };
  const { stdout } = await execa('python3', ['-c', program, message], { env });
  return JSON.parse(stdout);
}

test.each([
  ["Regex pattern did not match.\n  Expected regex: 'a.c'\n  Actual message: 'abb'", "'a.c'", "'abb'"],
  ["Regex pattern did not match.\n Regex: 'a.c'\n Input: 'abb'", "'a.c'", "'abb'"],
  ['\n- you did not\n?     ^^^\n+ you have not\n?     ^^^^', 'you have not', 'you did not'],
])('a message that does not match is compared: %j', async (message, expected, actual) => {
  expect(await valuesIn(message)).toEqual({ expected, actual });
});

test('other messages compare nothing', async () => {
  expect(await valuesIn('assert 1 == 2')).toEqual({});
});
