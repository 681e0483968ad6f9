import { expect, test } from 'vitest';
import { readDockerSettings } from '../../../lib/extra/docker/engine.ts';

test('has defaults', () => {
  expect(readDockerSettings({})).toEqual({
    command: ['docker'],
    image: 'python:3.13-slim',
    cpus: 1,
    memory: null,
    pids: 64,
  });
});

test('reads everything from the environment', () => {
  const settings = readDockerSettings({
    DOCKER_BIN: 'sudo  docker',
    SANDBOX_DOCKER_IMAGE: 'registry.example/python:3.12',
    SANDBOX_DOCKER_CPUS: '0.5',
    SANDBOX_DOCKER_MEMORY: '2g',
    SANDBOX_DOCKER_PIDS: '32',
  });
  expect(settings).toEqual({
    command: ['sudo', 'docker'],
    image: 'registry.example/python:3.12',
    cpus: 0.5,
    memory: '2g',
    pids: 32,
  });
});

test.for([
  ['DOCKER_BIN', '   '],
  ['SANDBOX_DOCKER_IMAGE', '--privileged'],
  ['SANDBOX_DOCKER_CPUS', '0'],
  ['SANDBOX_DOCKER_CPUS', 'all'],
  ['SANDBOX_DOCKER_MEMORY', '2 GB'],
  ['SANDBOX_DOCKER_PIDS', '2.5'],
] as const)('refuses %s=%s', ([name, value]) => {
  expect(() => readDockerSettings({ [name]: value })).toThrow(
    expect.objectContaining({ code: 'OPTION_INVALID', message: expect.stringContaining(name) }),
  );
});
