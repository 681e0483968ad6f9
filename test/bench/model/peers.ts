import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';

const versions = { '@huggingface/transformers': '4.3.1', 'node-llama-cpp': '3.22.1' };

/** Installs the JavaScript peers into a folder that git ignores; they are not dependencies of hefix. */
export async function installPeers(folder: string): Promise<void> {
  if (Object.keys(versions).every(name => existsSync(join(folder, 'node_modules', name)))) return;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: versions }));
  // Only the CPU is measured, so the package's downloads for other devices are skipped.
  await writeFile(join(folder, '.npmrc'), 'onnxruntime-node-install=skip\n');
  console.log(`Installing ${Object.keys(versions).join(' and ')} into ${folder}, once.`);
  await execa('npm', ['install', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' });
}

export interface PythonWithTorch {
  readonly command: string;
  /** `torch 2.9.0, transformers 4.57.1` */
  readonly versions: string;
}

/** HEFIX_BENCH_PYTHON or python3; a text if it cannot be used. */
export function pythonWithTorch(): PythonWithTorch | string {
  const command = process.env.HEFIX_BENCH_PYTHON ?? 'python3';
  const program =
    "import torch, transformers; print(f'torch {torch.__version__}, transformers {transformers.__version__}')";
  const asked = spawnSync(command, ['-c', program], { encoding: 'utf8' });
  if (asked.status === 0) return { command, versions: asked.stdout.trim() };
  return `${command} has no torch and transformers; name another with HEFIX_BENCH_PYTHON`;
}
