import type { Extra, ExtraLanguage } from '../../extras.ts';
import type { CompiledLanguage } from './open-language.ts';

export const compiled: Extra = {
  languages: { cpp: judged('cpp'), go: judged('go'), java: judged('java'), rust: judged('rust') },
  findings: async () => (await import('./toolchain-findings.ts')).toolchainFindings(),
  caches: {
    toolchains: 'up to 130 MiB for each version of a compiler, for 30 days',
    programs:
      'programs that were built, if the folder for temporary files is mounted with noexec; removed at the end',
  },
};

function judged(language: CompiledLanguage): ExtraLanguage {
  return {
    start: async options => (await import('./open-language.ts')).openLanguage(language, options),
    missing: async () => (await import('./open-language.ts')).missingTool(language),
  };
}
