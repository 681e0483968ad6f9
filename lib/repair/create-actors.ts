import type { GenerateInput, Judgement } from '../../machines/actors.ts';
import type { Node } from '../core/attempt.ts';
import type { Execution } from '../core/ports.ts';
import { referenceOf } from '../core/task.ts';
import type { ActorParts } from './actor-parts.ts';
import type { AgentActors } from './agent-actors.ts';
import { createEditChooser } from './choose/choose-edit.ts';
import { DEFAULT_SEARCH_SECONDS } from './defaults.ts';
import { createSearchClock } from './enumerate/search-clock.ts';
import { knownChecks } from './examples/known-checks.ts';
import { beamsOf } from './propose/beams-of.ts';
import { createSampleChooser } from './propose/choose-sample.ts';
import { derivedSeed } from './propose/seed.ts';
import { styleOf } from './propose/style.ts';
import { createSearchActors } from './search-actors.ts';

/** What the machines' actors compute, with a model and a sandbox. */
export function createActors(parts: ActorParts): AgentActors {
  const { model, sandbox, parser, options, onText } = parts;
  const style = styleOf(options, model.nativeTools ?? false);
  const clock = createSearchClock(options.searchSeconds ?? DEFAULT_SEARCH_SECONDS);
  const beamOptions = {
    agent: options.agent,
    protocol: options.protocol,
    answer: options.answer ?? 'whole',
    beams: options.beams,
    temperature: options.temperature?.base ?? 0,
    iterations: options.maxIterations ?? 0,
  } as const;
  const chooseEdit = createEditChooser(parts, clock);
  const chooseSample = createSampleChooser(parts, style, clock);
  const checksOf = ({ task, attempts }: GenerateInput) =>
    options.agent === 'one-shot' || options.protocol
      ? []
      : knownChecks(parser, task, attempts, {
          feedback: options.feedback,
          examples: options.examples ?? true,
        });
  return {
    ...createSearchActors(parts, clock),
    async generate(input, signal) {
      const { node, iteration, temperature } = input;
      const { maxNewTokens } = options;
      const beams = node === 'diagnose' ? null : beamsOf(model, beamOptions, input.task.language);
      if (beams !== null) {
        // With --beam-prompt first, each attempt takes the next candidate of the first prompt.
        const asked =
          options.beamPrompt === 'first' ? { ...input, node: 'draft' as const, attempts: [] } : input;
        const { messages } = style.request(asked);
        const request = { messages, beams, maxNewTokens, checks: checksOf(input) };
        const choice = await chooseEdit(input, request, signal);
        if (choice) return { iteration, node, temperature: null, ...choice };
      }
      const isDiagnosis = node === 'diagnose';
      const proposal = await chooseSample(
        input,
        {
          candidates: isDiagnosis || options.protocol ? 1 : (options.candidates ?? 1),
          checks: isDiagnosis ? [] : checksOf(input),
          sampling: {
            topP: options.topP,
            topK: options.topK,
            maxNewTokens,
            maxLength: options.maxLength,
            thinking: options.thinking,
          },
          temperatureOf: sample => (sample === 0 ? temperature : (input.warmer ?? temperature)),
          seedOf: sample => derivedSeed(options.seed, iteration, ...seedParts(node, sample)),
        },
        { signal, ...(onText ? { onText } : {}) },
      );
      return { iteration, node, ...proposal };
    },
    examine: (input, signal) => style.examine(parser, sandbox, input, signal),
    async execute({ task, candidate, suite }, signal) {
      const { language, entryPoint, declaration } = task;
      const tests = suite === 'tests' ? task.tests : task.exampleTests;
      const reference = referenceOf(task);
      const { seed } = options;
      const request = { language, candidate, tests, entryPoint, declaration, seed, reference };
      return judgementOf(await sandbox.execute(request, signal));
    },
  };
}

/** The part of an execution that an attempt records. */
export function judgementOf({ verdict, seconds, stdout, stderr, exitCode, judge }: Execution): Judgement {
  const hasOutput = stdout !== '' || stderr !== '' || exitCode !== null;
  return {
    verdict,
    seconds,
    ...(hasOutput && { output: { stdout, stderr, exit_code: exitCode } }),
    ...(judge !== undefined && judge !== 'proven' && { judge }),
  };
}

/** Distinguishes a request from the others of its iteration. */
function seedParts(node: Node, sample: number): (string | number)[] {
  if (node === 'diagnose') return [node];
  return sample === 0 ? [] : ['sample', sample];
}
