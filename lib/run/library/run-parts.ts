import { versions } from '../../files/package.ts';
import type { RunOptions } from '../../options/tables/run-options.ts';
import { WARMEST } from '../../repair/agents.ts';
import { promptsVersion } from '../../repair/prompt/prompts.ts';
import { type RepairOptions, repairTask } from '../../repair/repair-task.ts';
import { createModel } from '../model/create-model.ts';
import { openDataset, openSandbox } from '../open-parts.ts';
import type { RunParts } from '../run.ts';

/** The real parts of a run. */
export function runParts(): RunParts {
  return {
    loadDataset: openDataset,
    openSandbox,
    createModel,
    repairTask: options => task =>
      repairTask({ ...task, options: { ...repairOptions(options), seed: task.seed } }),
    reports,
    prompts: promptsVersion,
    versions: versions(),
  };
}

/** Draws what `--visualize` asks for. */
export const reports: RunParts['reports'] = {
  async write(results) {
    const { reportBeside } = await import('./report.ts');
    return await reportBeside(results);
  },
};

/** The agent's part of a run's options; its seed is derived per task. */
export function repairOptions(options: RunOptions): Omit<RepairOptions, 'seed'> {
  const { agent, feedback, fewShot, template, topP, topK, maxNewTokens, maxLength, thinking } = options;
  const { beams, beamPrompt, candidates, searchSeconds, budget } = options;
  return {
    agent,
    maxIterations: options.iters,
    temperature: {
      schedule: options.schedule,
      base: options.temperature,
      step: options.temperatureStep,
      cap: WARMEST,
    },
    topP,
    topK,
    maxNewTokens,
    judge: options.judge,
    maxLength,
    thinking,
    answer: options.answer === 'auto' ? undefined : options.answer,
    beams,
    beamPrompt,
    candidates,
    examples: !options.noExamples,
    searchSeconds,
    search: { budget, rank: !options.noRank, joins: options.withEdits },
    feedback,
    fewShot,
    protocol: options.prompt === 'agent' ? undefined : options.prompt,
    template,
  };
}
