import type { Extra } from '../../extras.ts';

export const docker: Extra = {
  sandboxes: {
    docker: {
      about: 'warm containers, for Python',
      async start(options, environment) {
        const { readDockerSettings } = await import('./engine.ts');
        const { createDockerSandbox } = await import('./docker-sandbox.ts');
        return await createDockerSandbox({ ...options, docker: readDockerSettings(environment) });
      },
    },
  },
  findings: async environment => (await import('./docker-findings.ts')).dockerFindings(environment),
};
