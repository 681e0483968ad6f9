import type { RunInfo } from '../../view-data.ts';

/** Options by which runs differ, the agent first. */
export function differingSettings(infos: readonly Pick<RunInfo, 'settings'>[]): string[] {
  const all = infos.map(({ settings }) => settings).filter(settings => Object.keys(settings).length > 0);
  const names = [...new Set(['agent', ...all.flatMap(settings => Object.keys(settings))])];
  return names.filter(name => new Set(all.map(settings => settings[name])).size > 1);
}

type Named = Pick<RunInfo, 'id' | 'name' | 'model' | 'dataset' | 'agent' | 'settings'>;

/**
 * A name for each run, by id, made of what distinguishes it: model, dataset and options that differ, and the
 * file name if that is not enough.
 */
export function runNames(infos: readonly Named[]): ReadonlyMap<string, string> {
  const differ = (value: (info: Named) => string) => new Set(infos.map(value)).size > 1;
  const settings = differingSettings(infos);
  const nameOf = (info: Named) => {
    const { model, dataset, agent } = info;
    const parts = [
      differ(other => other.model) ? shortModel(model) : '',
      differ(other => other.dataset) ? dataset : '',
      ...settings.map(name => settingWords(name, info.settings[name])),
    ].filter(Boolean);
    return parts.length > 0 ? parts.join(' · ') : `${shortModel(model)} · ${agent}`;
  };
  const names = infos.map(info => [info, nameOf(info)] as const);
  return new Map(
    names.map(([info, name]) => {
      const isAlone = names.filter(([, other]) => other === name).length === 1;
      return [info.id, isAlone ? name : `${name} · ${info.name.replace(/\.jsonl$/, '')}`];
    }),
  );
}

function settingWords(name: string, value: string | undefined): string {
  if (value === undefined) return '';
  return name === 'agent' ? value : `${name} ${value}`;
}

/** Without the publishing organisation. */
function shortModel(model: string): string {
  return model.slice(model.lastIndexOf('/') + 1);
}
