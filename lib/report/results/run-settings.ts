import { agentLabel } from '../../core/choices.ts';
import { longName } from '../../options/option.ts';
import { resultOptions } from '../../options/tables/run-options.ts';
import { scoreOptions } from '../../options/tables/score-options.ts';
import type { Manifest } from './manifest.ts';

/** Names and values: `{"agent": "reflect", "temperature": "0.4"}`. */
export type RunSettings = Readonly<{ [name: string]: string }>;

/** Model, agent and the options that decide results, as far as the runs differ in them; one entry a run. */
export function differingSettings(manifests: readonly Manifest[]): RunSettings[] {
  const all = manifests.map(settingsOf);
  const names = [...new Set(all.flatMap(settings => Object.keys(settings)))];
  const apart = names.filter(name => new Set(all.map(settings => settings[name])).size > 1);
  return all.map(settings =>
    Object.fromEntries(Object.entries(settings).filter(([name]) => apart.includes(name))),
  );
}

/** Without the number of iterations, which is the axis of comparisons. */
function settingsOf(manifest: Manifest): RunSettings {
  const { model, options, scored } = manifest;
  const keys = scored ? resultOptions.filter(key => key in scoreOptions) : resultOptions;
  const others = keys.filter(key => key !== 'agent' && key !== 'iters' && options[key] !== undefined);
  return {
    model: model.name,
    agent: agentLabel(manifest),
    ...Object.fromEntries(others.map(key => [longName(key).slice('--'.length), String(options[key])])),
  };
}
