import { writeFileSync } from 'node:fs';
import { packageFile } from '../../lib/files/package.ts';
import { buildDataset, setNames } from './build.ts';

/** Writes the Parquet files of the bundled sets: `npm run build:datasets`. */
for (const name of setNames) {
  const bytes = buildDataset(name);
  writeFileSync(packageFile(`dataset/${name}.parquet`), bytes);
  process.stderr.write(`dataset/${name}.parquet: ${bytes.length} bytes\n`);
}
