import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { packageFile } from '../../lib/files/package.ts';
import { programFolder } from '../support/temporary-folder.ts';

/**
 * Runs the agent with stand-ins for Harbor's classes, whose environment runs commands in a folder here; the arguments
 * are the options of the agent as JSON.
 */
const trial = `
import asyncio, json, pathlib, subprocess, sys, types
folder, logs, given = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), json.loads(sys.argv[3])
def module(name, **contents):
    sys.modules[name] = types.ModuleType(name)
    vars(sys.modules[name]).update(contents)
class Options:
    def __init__(self, **values): vars(self).update(values)
class Agent:
    def __init__(self, model_name=None, **values):
        self.options, self.model_name = self.options_model(**values), model_name
        self.logs_dir = self.environment_logs_dir = logs
    async def exec_as_agent(self, environment, command):
        subprocess.run(["bash", "-c", "set -o pipefail; " + command], cwd=folder, check=True, stdout=subprocess.DEVNULL)
module("pydantic", Field=lambda default, description: default)
for name in ("harbor", "harbor.agents", "harbor.agents.installed"): module(name)
module("harbor.agents.installed.base", BaseInstalledAgent=Agent)
module("harbor.agents.options", InstalledAgentOptions=Options)
import harbor_hefix
agent, context = harbor_hefix.Hefix(**given), types.SimpleNamespace(metadata=None)
asyncio.run(agent.run("Repair it.", None, context))
agent.populate_context_post_run(context)
print(json.dumps([agent.parse_version("0.1.0\\nNode.js v22.0.0\\n"), context.metadata]))
`;

async function runAgent(
  code: string,
  options: object,
  checks = 'assert step(3) == 4\nassert step(0) == 1\n',
) {
  const folder = await programFolder();
  const [project, logs, programs] = ['project', 'logs', 'bin'].map(name => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await Promise.all([project, logs, programs].map(path => mkdir(path)));
  await writeFile(join(project, 'steps.py'), code);
  await writeFile(join(project, 'checks.py'), `from steps import step\n${checks}`);
  const program = join(programs, 'hefix');
  await writeFile(
    program,
    `#!/bin/sh\nexec "${process.execPath}" "${packageFile('dist/bin/hefix.js')}" "$@"\n`,
  );
  await chmod(program, 0o755);
  const env = {
    PYTHONPATH: packageFile('examples'),
    PATH: `${programs}${delimiter}${process.env.PATH}`,
    PYTHONDONTWRITEBYTECODE: '1',
  };
  const { stdout } = await execa('python3', ['-c', trial, project, logs, JSON.stringify(options)], { env });
  const [version, metadata] = JSON.parse(stdout);
  return { version, metadata, code: await readFile(join(project, 'steps.py'), 'utf8') };
}

test('the agent repairs in the container and keeps what hefix reports', async () => {
  const options = { target: 'steps.py::step', tests: 'checks.py', time: 60, model_name: 'hefix-mini' };
  const { version, metadata, code } = await runAgent('def step(x):\n    return x - 1\n', options);
  expect(version).toBe('0.1.0');
  expect(metadata).toMatchObject({ outcome: 'repaired', repairs: [{ function: 'step' }] });
  expect(code).toBe('def step(x):\n    return x + 1\n');
});

test('code that is not repaired is no error of the agent', async () => {
  const code = 'def step(x):\n    return x\n';
  const options = { target: 'steps.py::step', tests: 'checks.py', time: 5, tarball: null, model_name: null };
  const contradictory = 'assert step(3) == 4\nassert step(3) == 5\n';
  expect(await runAgent(code, options, contradictory)).toMatchObject({
    metadata: { outcome: 'not-repaired' },
    code,
  });
});

test('an option that hefix refuses is an error of the agent', async () => {
  const options = { target: 'missing.py', tests: null, time: null, model_name: null };
  await expect(runAgent('def step(x):\n    return x\n', options)).rejects.toThrow('non-zero exit status');
});
