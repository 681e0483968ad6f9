import { type Finding, good, missing } from '../../cli/doctor/finding.ts';
import { HefixError } from '../../core/errors.ts';
import { checkDocker, readDockerSettings } from './engine.ts';

/** Whether containers can be started; rejects with what is no HefixError. */
export async function dockerFindings(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Finding[]> {
  try {
    const settings = readDockerSettings(environment);
    await checkDocker(settings);
    return [good('Docker', `${settings.command.join(' ')} with the image ${settings.image}`)];
  } catch (error) {
    if (!(error instanceof HefixError)) throw error;
    return [missing('Docker', error.message, error.hint)];
  }
}
