import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Jail } from '../../../sandbox/isolation/isolation.ts';
import { createWorkFolder } from '../../../sandbox/isolation/work-folder.ts';
import { readReport } from '../../../sandbox/process/execution.ts';
import { localCandidates, pairOf } from '../../../sandbox/process/pairs.ts';
import { openParser } from '../../../syntax/parser.ts';
import { toolchainFailed } from '../errors.ts';
import { parseReport } from '../judge-report.ts';
import { javaLocale } from './jdk.ts';
import { candidateSources, judgeSources } from './sources.ts';
import { createWarmCompiler } from './warm-compiler.ts';
import { startWarmJudges } from './warm-judges.ts';

export type JavaProgram = 'candidate' | 'judge' | 'compiler';

/**
 * Runs each program once, with a task of our own that uses what tasks usually use, and has it write an archive of the
 * classes that it has loaded. `start` gives the command. No foreign code runs here, so no jail is needed. Rejects
 * with TOOLCHAIN_FAILED or, if the compiler does not start, SANDBOX_FAILED.
 */
export async function archiveRuntime(start: (program: JavaProgram) => readonly string[]): Promise<void> {
  const work = createWorkFolder(null);
  const folder = work.path;
  const jail = (program: JavaProgram, ...extraArguments: string[]): Jail => {
    const [file = '', ...args] = start(program);
    return {
      file,
      args: [...args, ...extraArguments],
      env: javaLocale,
      cwd: folder,
      release: async () => {},
    };
  };
  const compiler = createWarmCompiler(() => jail('compiler'));
  const compile = async (files: Readonly<Record<string, string>>): Promise<string> => {
    const result = await compiler.compile(files, new AbortController().signal);
    if (!('classes' in result))
      throw toolchainFailed('javac', `a task of hefix does not compile: ${JSON.stringify(result)}`);
    const path = join(folder, randomUUID());
    await writeFile(path, result.classes);
    return path;
  };
  try {
    const parser = await openParser('java');
    const judge = judgeSources(parser, sample);
    const tests = await compile(judge.files);
    const candidate = await compile(candidateSources(parser, sample, sample.candidate));
    await compiler.finish();
    const judges = startWarmJudges(jail('judge'));
    const started = judges.start({ argv: [tests, ...judge.judgeArguments, 'verdict'] });
    if (!started) throw new Error('a new virtual machine starts no judge');
    const candidates = localCandidates(({ argv }) => jail('candidate', ...argv));
    const pair = pairOf(started, candidates.start(started, { argv: [candidate] }));
    const { report: reported } = readReport(pair.channel, parseReport);
    const report = await reported;
    // The archives are written when they exit.
    await Promise.all([pair.candidate.exited, pair.judge.exited.then(judges.finish)]);
    await pair.destroy();
    if (typeof report === 'string' || report.kind !== 'failed')
      throw toolchainFailed(
        'java',
        `a task of hefix was not judged: ${pair.complaints.text() || JSON.stringify(report)}`,
      );
  } finally {
    await compiler.close();
    await work.remove();
  }
}

const declaration = `import java.util.*;
import java.util.stream.*;

class Solution {
    public List<Integer> sample(List<Integer> numbers, Map<String, Double> prices, String text, int[] counts) {
`;

/** Its tests fail, since that takes more classes than passing. */
const sample = {
  declaration,
  entryPoint: 'sample',
  candidate: `${declaration}
        if (text.isEmpty()) throw new IllegalArgumentException("empty");
        Map<Character, Integer> seen = new HashMap<>();
        StringBuilder joined = new StringBuilder();
        for (char letter : text.toCharArray()) {
            seen.merge(letter, 1, Integer::sum);
            joined.append(Character.toUpperCase(letter));
        }
        String[] words = joined.toString().split("\\\\s+");
        Set<String> sorted = new TreeSet<>(Arrays.asList(words));
        Optional<Double> top = prices.values().stream().max(Comparator.naturalOrder());
        List<Integer> found = numbers.stream().filter(n -> n > 0).map(n -> n * 2).sorted().collect(Collectors.toList());
        Collections.sort(found, (a, b) -> b - a);
        String label = "n" + found.size() + sorted + top.orElse(0.0) + String.format("%.2f", 1.5) + Math.sqrt(2);
        counts[0] = label.length();
        int[] squares = IntStream.range(0, 4).map(i -> i * i).toArray();
        found.add(squares.length + Integer.parseInt("7") + seen.size());
        return found;
    }
}
`,
  tests: `public class Main {
    public static void main(String[] args) {
        Solution s = new Solution();
        Map<String, Double> prices = new HashMap<>();
        prices.put("a", 1.5);
        boolean thrown = false;
        try {
            s.sample(new ArrayList<>(), prices, "", new int[1]);
        } catch (IllegalArgumentException error) {
            thrown = true;
        }
        List<Boolean> correct = Arrays.asList(
            s.sample(new ArrayList<>(Arrays.asList(1, -2)), prices, "ab", new int[1]).equals(Arrays.asList(2, 13)),
            !(s.sample(List.of(), prices, "ab", new int[1]).get(0) == 2),
            Math.abs(s.sample(List.of(1), prices, "ab", new int[] {1, 2}).size() - 1) < 1e-6,
            thrown
        );
        if (correct.contains(false)) {
            throw new AssertionError();
        }
    }
}
`,
};
