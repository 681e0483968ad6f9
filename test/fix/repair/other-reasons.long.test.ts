import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hefixHere } from '../../support/cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('a named function is repaired although one of its tests fails for another reason, with the repair too', async () => {
  const cwd = await temporaryFolder();
  await writeFile(
    join(cwd, 'shop.py'),
    'def price(n):\n    return n - 3\n\n\ndef label(n):\n    return str(n)\n',
  );
  await writeFile(
    join(cwd, 'test_shop.py'),
    `from shop import label, price


def test_price():
    assert price(2) == 5
    assert price(4) == 7


def test_label():
    assert isinstance(price(1), int)
    assert label(1) == "1 EUR"
`,
  );
  const args = ['fix', 'shop.py::price', '--no-rank', '--time', '300', '--json', '--quiet'];
  const { stdout } = await hefixHere(args, { cwd });
  expect(JSON.parse(stdout)).toMatchObject({
    outcome: 'repaired',
    repairs: [{ function: 'price' }],
    after: { passed: 1, failed: 1 },
    stillFailing: [{ id: 'test_shop.py::test_label' }],
  });
});
