import { type Finding, good, missing, toHefixError } from '../../cli/doctor/finding.ts';
import { checkDocker, readDockerSettings } from './engine.ts';

/** Whether containers can be started. */
export async function dockerFindings(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Finding[]> {
  try {
    const settings = readDockerSettings(environment);
    await checkDocker(settings);
    return [good('Docker', `${settings.command.join(' ')} with the image ${settings.image}`)];
  } catch (error) {
    const { message, hint } = toHefixError(error);
    return [missing('Docker', message, hint)];
  }
}
