import { createHash } from 'node:crypto';
import { repairTask } from '../agent/repair-task.ts';
import { versions } from '../core/version.ts';
import type { RunOptions } from '../options/run-options.ts';
import { promptWording } from '../prompt/prompts.ts';
import { createModel } from './create-model.ts';
import { openDataset } from './open-dataset.ts';
import { openSandbox } from './open-sandbox.ts';
import type { RunParts } from './run.ts';
import type { RepairTask } from './run-tasks.ts';

/** The real parts of a run. */
export function runParts(): RunParts {
  return {
    loadDataset: openDataset,
    openSandbox,
    createModel,
    repairTask: repairWith,
    prompts: createHash('sha256').update(promptWording()).digest('hex'),
    versions: versions(),
  };
}

function repairWith(options: RunOptions): RepairTask {
  const {
    iters,
    agent,
    feedback,
    fewShot,
    prompt,
    template,
    topP,
    topK,
    maxNewTokens,
    maxLength,
    thinking,
    answer,
    beams,
    beamPrompt,
    candidates,
    noExamples,
    searchSeconds,
    budget,
    noRank,
    schedule,
    temperature,
    temperatureStep,
  } = options;
  return ({ task, model, sandbox, seed, signal, onState, onAttempt, ...others }) => {
    let told = 0;
    return repairTask({
      task,
      model,
      sandbox,
      options: {
        agent,
        budget: iters,
        temperature: { schedule, base: temperature, step: temperatureStep, cap: WARMEST },
        topP,
        topK,
        maxNewTokens,
        maxLength,
        thinking,
        answer: answer === 'auto' ? undefined : answer,
        beams,
        beamPrompt,
        candidates,
        examples: !noExamples,
        searchSeconds,
        search: { budget, rank: !noRank },
        feedback,
        fewShot,
        protocol: prompt === 'agent' ? undefined : prompt,
        template,
        seed,
      },
      signal,
      ...others,
      onTransition(state, { attempts }) {
        attempts.slice(told).forEach(onAttempt);
        told = attempts.length;
        onState(state);
      },
    });
  };
}

/** Upper end of a temperature ramp; above it small models rarely write code that parses. */
const WARMEST = 1;
