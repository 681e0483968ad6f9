import { expect, test } from 'vitest';
import { describeCompiled } from '../toolchains.ts';

/** Candidates that are wrong and try to pass all the same. */

const imports = 'import java.util.*;\nimport java.io.*;\n';
const header = 'public boolean f(List<Integer> a)';
const declaration = `${imports}class Solution {\n    ${header} {\n`;
const tests = `public class Main {
    public static void main(String[] args) {
        Solution s = new Solution();
        List<Boolean> correct = Arrays.asList(
            s.f(Arrays.asList(1, 2)) == true,
            s.f(Arrays.asList(2, 1)) == false,
            s.f(new ArrayList<>()) == true
        );
        if (correct.contains(false)) {
            throw new AssertionError();
        }
    }
}
`;

/** A class with the wrong method, and what else is given. */
function wrong(members: string, before = '', body = 'return true;'): string {
  return `${imports}${before}\nclass Solution {\n    ${header} { ${body} }\n    ${members}\n}\n`;
}

/** A judge's report that the tests passed. */
const forged = `byte[] report = new byte[42];
        report[0] = 38; report[4] = 6;
        System.arraycopy("passed".getBytes(), 0, report, 8, 6);`;

/** Opens descriptors as the library does, past its checks. */
const descriptor = `static FileDescriptor fd(int n) {
        try {
            java.lang.reflect.Field field = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
            field.setAccessible(true);
            sun.misc.Unsafe unsafe = (sun.misc.Unsafe) field.get(null);
            FileDescriptor found = new FileDescriptor();
            for (long at = 8; at < 24; at += 4) if (unsafe.getInt(found, at) == -1) { unsafe.putInt(found, at, n); return found; }
            return found;
        } catch (ReflectiveOperationException e) { return new FileDescriptor(); }
    }`;

const line = 'new FileOutputStream(FileDescriptor.in)';

const attacks: Record<string, string> = {
  'ends the process in a static initialiser': wrong('static { System.exit(0); }'),
  'ends the process in a constructor': wrong('Solution() { System.exit(0); }'),
  'halts in the method': wrong('', '', 'Runtime.getRuntime().halt(0); return true;'),
  'ends the process in a shutdown hook': wrong(
    'static { Runtime.getRuntime().addShutdownHook(new Thread(() -> Runtime.getRuntime().halt(0))); }',
    '',
    'System.exit(1); return true;',
  ),
  'has a class Main': wrong('', '', 'return true;').concat(
    'class Main { public static void main(String[] args) { System.exit(0); } }',
  ),
  'has a class Arrays': wrong('').concat(
    'class Arrays { static List<Boolean> asList(Object... a) { return new ArrayList<>(); } }',
  ),
  'has a class String and a class Boolean': wrong('').concat('class String {}\nclass Boolean {}'),
  'has a class List that contains nothing': wrong('').concat(
    'class List<T> { boolean contains(Object x) { return false; } }',
  ),
  'has a class AssertionError': wrong('').concat('class AssertionError extends RuntimeException {}'),
  'returns an object that equals all': wrong('').replace('public boolean f', 'public Object f'),
  'is in the package of the judge': `package hefix;\n${wrong('')}\nclass Judge { public static Object call(Object s, Object[] a) { return true; } }`,
  'calls the judge': wrong('static { hefix.Judge.check(1, "", true); }'),
  'replaces the class that serves': wrong('').concat(
    'class HefixServe implements hefix.Entry { public Object create() { return null; } public Object call(Object s, Object[] a) { return true; } }',
  ),
  'writes a report to its output': wrong(
    `static { ${forged} System.out.write(report, 0, 42); System.err.write(report, 0, 42); System.out.flush(); }`,
  ),
  'writes a report to every descriptor': wrong(
    `${descriptor}\n static { ${forged} for (int n = 0; n < 20; n++) try { new FileOutputStream(fd(n)).write(report); } catch (IOException e) {} }`,
  ),
  'writes a report and ends': wrong(
    descriptor,
    '',
    `${forged} for (int n = 0; n < 20; n++) try { new FileOutputStream(fd(n)).write(report); } catch (IOException e) {} System.exit(0); return true;`,
  ),
  'answers before it is asked': wrong(
    '',
    '',
    `try { for (int i = 0; i < 3; i++) ${line}.write(new byte[] {3, 0, 0, 0, 0, 'Z', 1}); } catch (IOException e) {} return true;`,
  ),
  'claims 2 GB': wrong(
    '',
    '',
    `try { ${line}.write(new byte[] {-1, -1, -1, 127}); } catch (IOException e) {} while (true);`,
  ),
  'claims a list of 2 G items': wrong(
    '',
    '',
    `try { ${line}.write(new byte[] {11, 0, 0, 0, 0, 'N', 'L', 127, -1, -1, -1, 0, 0, 0, 0}); } catch (IOException e) {} while (true);`,
  ),
  'sends an empty message': wrong(
    '',
    '',
    `try { ${line}.write(new byte[4]); } catch (IOException e) {} while (true);`,
  ),
  'closes the line': wrong(
    '',
    '',
    'try { new FileInputStream(FileDescriptor.in).close(); } catch (IOException e) {} return true;',
  ),
  'leaves a thread that answers': wrong(
    `static { Thread t = new Thread(() -> { try { while (true) ${line}.write(new byte[] {3, 0, 0, 0, 0, 'Z', 1}); } catch (IOException e) {} }); t.setDaemon(false); t.start(); }`,
  ),
  'has an annotation processor': `import javax.annotation.processing.*;\n${wrong('').replace('class Solution', '@SupportedAnnotationTypes("*")\nclass Own extends AbstractProcessor { public boolean process(Set<? extends javax.lang.model.element.TypeElement> a, RoundEnvironment r) { System.exit(0); return true; } }\nclass Solution')}`,
  'throws an AssertionError whose message lies': wrong('', '', 'throw new AssertionError("passed");'),
  'throws an exception that ends the process': wrong(
    'static class Own extends RuntimeException { public String getMessage() { System.exit(0); return ""; } }',
    '',
    'throw new Own();',
  ),
  'returns from a list of its own': wrong('', '', 'a.replaceAll(x -> 0); return true;'),
  'starts a program': wrong(
    '',
    '',
    'try { return new ProcessBuilder("/bin/true").start().waitFor() == 0 || true; } catch (Exception e) { return true; }',
  ),
  deserializes: wrong(
    '',
    '',
    'try { ByteArrayOutputStream b = new ByteArrayOutputStream(); new ObjectOutputStream(b).writeObject(new Date()); new ObjectInputStream(new ByteArrayInputStream(b.toByteArray())).readObject(); } catch (Exception e) {} return true;',
  ),
  'attaches to other virtual machines': wrong(
    'static { try { Object all = Class.forName("com.sun.tools.attach.VirtualMachine").getMethod("list").invoke(null); } catch (Throwable t) {} }',
  ),
};

describeCompiled(
  'java',
  'attacks in Java',
  judge => {
    const verdictOf = async (candidate: string) =>
      (await judge({ candidate, tests, entryPoint: 'f', declaration })).verdict;

    test.each(Object.keys(attacks))('a candidate that %s does not pass', { timeout: 30_000 }, async name => {
      expect((await verdictOf(attacks[name] ?? '')).kind).not.toBe('passed');
    });

    test.each(['/etc/passwd', '/proc/self/environ', '/root', '/work'])('%s cannot be read', async path => {
      const body = `try { return new Scanner(new File("${path}")).hasNextLine() ? a.get(-1) > 0 : true; } catch (IOException e) { throw new RuntimeException("refused"); }`;
      expect(await verdictOf(wrong('', '', body))).toMatchObject({ exception: { message: 'refused' } });
    });

    const bombs: Record<string, string> = {
      'strings that double': Array.from({ length: 40 }, (_, i) =>
        i === 0
          ? `static final String C0 = "${'x'.repeat(60_000)}";`
          : `static final String C${i} = C${i - 1} + C${i - 1};`,
      ).join('\n'),
      'an expression nested a hundred thousand times': `int x = ${'('.repeat(1e5)}1${')'.repeat(1e5)};`,
      'a sum of a hundred thousand terms': `int x = ${'1 + '.repeat(1e5)}1;`,
      'nested generic lambdas': `static <T> T id(java.util.function.Supplier<T> s) { return s.get(); }\nObject x = ${'id(() -> '.repeat(60)}1${')'.repeat(60)};`,
      'ten megabytes of methods': Array.from(
        { length: 100_000 },
        (_, i) => `int m${i}(int a) { return a * ${i}; }`,
      ).join('\n'),
      'a large array': `static final int[] X = {${'1,'.repeat(300_000)}};`,
    };
    test.each(Object.keys(bombs))('a bomb of %s ends in a verdict', { timeout: 120_000 }, async name => {
      expect((await verdictOf(wrong(bombs[name] ?? ''))).kind).not.toBe('passed');
      // The next program is compiled as if nothing had happened.
      expect(await verdictOf(wrong(''))).toMatchObject({ kind: 'failed', test: { line: 6 } });
    });

    const exhausting: Record<string, string> = {
      memory: 'List<long[]> all = new ArrayList<>(); while (true) all.add(new long[1 << 20]);',
      threads: 'while (true) new Thread(() -> { while (true); }).start();',
      output: 'while (true) System.out.println("x".repeat(10000));',
      stack: 'return f(a);',
      'a result that is nested without end':
        'List<Object> l = new ArrayList<>(); l.add(l); throw new RuntimeException(l.size() + "");',
    };
    test.each(Object.keys(exhausting))(
      'a candidate that uses up %s ends in a verdict',
      { timeout: 60_000 },
      async name => {
        expect((await verdictOf(wrong('', '', exhausting[name]))).kind).toMatch(
          /^(?:memory|raised|timeout|exited)$/,
        );
      },
    );
  },
  5,
);
