import { parseRunOptions } from '../../lib/options/tables/run-options.ts';
import { type Manifest, manifestFormat, manifestSchema } from '../../lib/report/results/manifest.ts';

/** A manifest of a run with these options and the defaults. */
export function manifestWith(options: Readonly<Record<string, unknown>> = {}): Manifest {
  return manifestSchema.parse({
    format: manifestFormat,
    model: { name: 'a-model', fingerprint: 'sha256:1' },
    dataset: { name: 'a-set', fingerprint: 'sha256:2' },
    options: parseRunOptions(options),
    prompts: 'sha256:3',
    isolation: 'ulimit',
    versions: {},
    host: { platform: 'linux-x64', cpu: 'a processor', cores: 2, memory_mib: 1024 },
    sessions: [{ started: '2026-01-02T03:04:05.000Z', ended: null }],
  });
}
