import { expect, test } from 'vitest';
import { describeCompiled } from './toolchains.ts';

/**
 * Candidates that answer each call with random bytes: the judge always gives a verdict, and never passes
 * them.
 */

const seeds = Array.from({ length: 12 }, (_, index) => index + 1);

/** Replies of all lengths, most of them with a plausible status and counts. */
const step = (seed: number) => (Math.imul(seed, 2_654_435_761) >>> 0) % 251;

describeCompiled('go', 'random replies to a judge in Go', judge => {
  const header = 'func F(a []int) (map[string][]any, [2]*int, error)';
  const tests =
    'package main\n\nimport (\n\t"testing"\n\t"github.com/stretchr/testify/assert"\n)\n\nfunc TestF(t *testing.T) {\n\tx, _, err := F([]int{1})\n\tassert.Equal(t, map[string][]any{"x": {1, "two"}}, x)\n\tassert.Nil(t, err)\n}\n';

  test.each(seeds)('replies of seed %i end in a verdict', async seed => {
    const candidate = `import ("os"; "math/rand")
${header} {
	random := rand.New(rand.NewSource(${step(seed)}))
	for {
		reply := make([]byte, random.Intn(60))
		random.Read(reply)
		for i := range reply { if random.Intn(3) > 0 { reply[i] %= 3 } }
		if len(reply) > 0 { reply[0] %= 4 }
		os.NewFile(0, "line").Write(append([]byte{byte(len(reply)), 0, 0, 0}, reply...))
	}
}`;
    const request = { candidate, tests, entryPoint: 'F', declaration: `${header} {\n` };
    expect((await judge(request)).verdict.kind).toMatch(/^(?:not-serializable|failed|raised)$/);
  });
});

describeCompiled('rust', 'random replies to a judge in Rust', judge => {
  const header =
    'use std::collections::HashMap;\nuse std::any::Any;\nfn f(a: Vec<i32>) -> Result<HashMap<String, Vec<(i32, Option<char>)>>, String>';
  const tests = `
#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn test_f() {
        assert_eq!(f(vec![1]).unwrap()["x"], vec![(1, Some('y'))]);
    }
}
`;
  test.each(seeds)('replies of seed %i end in a verdict', async seed => {
    const candidate = `${header} {
    use std::{io::Write, os::unix::io::FromRawFd};
    let mut line = std::mem::ManuallyDrop::new(unsafe { std::fs::File::from_raw_fd(0) });
    let mut state = ${step(seed)}u64;
    let mut random = |limit: u64| { state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407); (state >> 33) % limit };
    loop {
        let mut reply: Vec<u8> = (0..random(60)).map(|_| if random(3) > 0 { random(3) as u8 } else { random(256) as u8 }).collect();
        if let Some(first) = reply.first_mut() { *first %= 4; }
        let mut frame = (reply.len() as u32).to_le_bytes().to_vec();
        frame.extend(reply);
        let _ = line.write_all(&frame);
    }
}`;
    const request = { candidate, tests, entryPoint: 'f', declaration: `${header} {\n` };
    expect((await judge(request)).verdict.kind).toMatch(/^(?:not-serializable|failed|raised)$/);
  });
});

describeCompiled('java', 'random replies to a judge in Java', judge => {
  const header = 'public Map<String, List<Object>> f(List<Integer> a, int[] b)';
  const imports = 'import java.util.*;\nimport java.io.*;\n';
  const tests = `public class Main {
    public static void main(String[] args) {
        if (!new Solution().f(new ArrayList<>(List.of(1)), new int[2]).equals(Map.of("x", List.of(1, "two")))) throw new AssertionError();
    }
}
`;
  test.each(seeds)('replies of seed %i end in a verdict', async seed => {
    const candidate = `${imports}class Solution {
    ${header} {
        Random random = new Random(${step(seed)});
        try {
            OutputStream line = new FileOutputStream(FileDescriptor.in);
            String tags = "nZCIJDsoNKrLAaM";
            while (true) {
                byte[] reply = new byte[random.nextInt(60)];
                for (int i = 0; i < reply.length; i++)
                    reply[i] = (byte) (i == 0 ? random.nextInt(4) : random.nextInt(3) == 0 ? random.nextInt(256) : random.nextBoolean() ? tags.charAt(random.nextInt(tags.length())) : random.nextInt(3));
                line.write(new byte[] {(byte) reply.length, 0, 0, 0});
                line.write(reply);
            }
        } catch (IOException error) {
            return null;
        }
    }
}
`;
    const declaration = `${imports}class Solution {\n    ${header} {\n`;
    const { verdict } = await judge({ candidate, tests, entryPoint: 'f', declaration });
    expect(verdict.kind).toMatch(/^(?:not-serializable|failed|raised)$/);
  });
});

describeCompiled('cpp', 'random replies to a judge in C++', judge => {
  const includes =
    '#include <any>\n#include <map>\n#include <optional>\n#include <string>\n#include <vector>\nusing namespace std;\n';
  const header = 'map<string, vector<any>> f(vector<int> &a, optional<pair<bool, double>> b)';
  const tests = `#undef NDEBUG
#include <assert.h>
int main() {
  vector<int> a{1};
  auto x = f(a, nullopt);
  assert(x.at("x").size() == 2);
  assert(any_cast<int>(x["x"][0]) == 1);
}
`;
  test.each(seeds)('replies of seed %i end in a verdict', async seed => {
    const candidate = `${includes}#include <random>
#include <unistd.h>
${header} {
  mt19937 random(${step(seed)});
  for (;;) {
    string reply(random() % 60, 0);
    for (char &byte : reply) byte = random() % 3 ? random() % 16 : random() % 256;
    if (!reply.empty()) reply[0] = random() % 4;
    string frame{char(reply.size()), 0, 0, 0};
    frame += reply;
    for (int line = 20; line < 24; line++) (void)!write(line, frame.data(), frame.size());
  }
}`;
    const request = { candidate, tests, entryPoint: 'f', declaration: `${includes}${header} {\n` };
    expect((await judge(request)).verdict.kind).toMatch(/^(?:not-serializable|failed|raised)$/);
  });
});
