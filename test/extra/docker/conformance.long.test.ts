import { describe } from 'vitest';
import { createDockerSandbox } from '../../../lib/extra/docker/docker-sandbox.ts';
import { describeContainer } from '../../sandbox/conformance.ts';
import { findDocker } from '../../support/docker.ts';
import { needs } from '../../support/needs.ts';

const engine = findDocker();

describe('containers', needs(engine), () => {
  describeContainer('docker', async limits => {
    Object.assign(process.env, engine.variables);
    return createDockerSandbox(limits);
  });
});
