import { join } from 'node:path';
import { startServer, whole } from '../model/server/test-server.ts';
import { writeSmallSet } from './cli.ts';
import { temporaryFolder } from './temporary-folder.ts';

/**
 * Arguments of a run of `count` tasks whose model answers for the first `answered` of them and leaves the
 * others waiting until `release` is called: an interruption surely comes before the run's end.
 */
export async function heldRun(count: number, answered: number) {
  const folder = await temporaryFolder();
  const { dataset } = await writeSmallSet(folder, count);
  let isHeld = true;
  const server = await startServer(async (response, request) => {
    const task = Number(/def plus_(\d+)\(/.exec(JSON.stringify(request.body.messages))?.[1]);
    if (isHeld && task >= answered) return;
    await whole(`\`\`\`python\ndef plus_${task}(x):\n    return x + ${task}\n\`\`\``)(response, request);
  });
  const model = ['--backend', 'openai', '--base-url', server.baseUrl, '--model', 'coder'];
  return {
    args: [...model, '--dataset', dataset, '--iters', '2'],
    out: join(folder, 'r.jsonl'),
    env: { OPENAI_API_KEY: 'none' },
    release: () => {
      isHeld = false;
    },
  };
}
