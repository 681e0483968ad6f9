import { HefixError } from '../../core/errors.ts';

export function queueWithoutRun(queue: string): HefixError {
  return new HefixError(
    'QUEUE_WITHOUT_RUN',
    `The queue ${queue} holds no run.`,
    'Start one with hefix run --queue, or check --queue-name.',
  );
}
