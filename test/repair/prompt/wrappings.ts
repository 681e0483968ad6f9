import type { Language, Task } from '../../../lib/core/task.ts';
import { extractCandidate } from '../../../lib/repair/prompt/extract.ts';
import { openParser } from '../../../lib/syntax/parser.ts';

/** Tasks whose correct answer is not found in a wrapped completion, with the name of the wrapping. */
export async function lostInWrappings(language: Language, tasks: readonly Task[]): Promise<string[]> {
  const parser = await openParser(language);
  return tasks.flatMap(task => {
    const wanted = parser.fingerprint(task.canonical);
    return Object.entries(wrappings(task)).flatMap(([name, completion]) => {
      const result = extractCandidate(parser, task, completion);
      const isRight = result.kind === 'function' && parser.fingerprint(result.candidate) === wanted;
      return isRight ? [] : [`${task.id} ${name}: ${result.kind}`];
    });
  });
}

/** Ways in which a model may wrap the correct answer. */
function wrappings({ canonical, buggy, declaration, language }: Task): Record<string, string> {
  const tag = language === 'python' ? 'python' : 'javascript';
  const body = canonical.slice(declaration.length);
  const indented = canonical.replace(/^(?=.)/gm, '   ');
  return {
    bare: canonical,
    fenced: `Here's the fixed code:\n\n\`\`\`${tag}\n${canonical}\n\`\`\`\n\nI've changed one thing (it's right now).`,
    chatter: `Sure! The bug's in the loop:\n\n${canonical}\n\nThis should work (I think). Don't forget the tests!`,
    quoted: `Buggy:\n\`\`\`${tag}\n${buggy}\n\`\`\`\nFixed:\n\`\`\`\n${canonical}\n\`\`\`\nIt was:\n~~~\n${buggy}\n~~~`,
    unclosed: `\`\`\`${tag}\n${canonical}`,
    listed: `1. The fix:\n   \`\`\`${tag}\n${indented}\n   \`\`\`\n2. Done.`,
    indented: `Fix it like this:\n\n${indented}\n\nDone, isn't it?`,
    continued: body,
    trimmed: body.trimStart(),
  };
}
