/**
 * Identifies the text of all prompts: runs with the same version are comparable. It is a constant, so that no run
 * renders every prompt to know it; `test/repair/prompt/version.test.ts` fails if a prompt has changed, and names the new value.
 */
export const promptsVersion = '6bd7a1d9acf03f618b5e4aa2928ce56ec5e935764d00864efefdf3504ff4f6c6';
