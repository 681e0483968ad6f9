/**
 * Identifies the text of all prompts: runs with the same version are comparable. It is a constant, so that no run
 * renders every prompt to know it; `test/prompt/version.test.ts` fails if a prompt has changed, and names the new value.
 */
export const promptsVersion = '9be498301c1ed10f24783bd6485f7395d7d2f3ecffb1ddce44d10fef8b88e5f7';
