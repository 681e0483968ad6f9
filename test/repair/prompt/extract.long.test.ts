import { describe, expect, test } from 'vitest';
import { loadDataset } from '../../../dataset/load.ts';
import { needs } from '../../support/needs.ts';
import { sharedData, sharedFile } from '../../support/shared-data.ts';
import { lostInWrappings } from './wrappings.ts';

describe.each(['python', 'js'] as const)('the real tasks of %s', language => {
  const file = sharedData(`humanevalpack/${language}.even.jsonl.gz`);

  test('survive every wrapping unchanged', needs(sharedFile(file)), async () => {
    const { tasks } = await loadDataset(file ?? '', { language });
    expect(tasks).toHaveLength(82);
    expect(await lostInWrappings(language, tasks)).toEqual([]);
  });
});
