import { expect, test } from 'vitest';
import { describeCompiled } from './toolchains.ts';

/**
 * Candidates that call execve with a file that does not exist, and return what the kernel answered: EPERM is the
 * filter's refusal, ENOENT would say that the call was made. A Java candidate has no such call without a new process.
 */
const candidates = {
  cpp: {
    candidate: `#include <cerrno>
#include <unistd.h>
int start(int x) {
  char name[] = "/nowhere";
  char *const words[] = {name, nullptr};
  execve(name, words, words + 1);
  return errno;
}`,
    declaration: 'int start(int x) {\n',
    tests: '#undef NDEBUG\n#include <assert.h>\nint main() {\n  assert(start(0) == 1);\n}\n',
    entryPoint: 'start',
  },
  go: {
    candidate: `import "syscall"
func Start(x int) int {
    err := syscall.Exec("/nowhere", []string{"/nowhere"}, nil)
    return int(err.(syscall.Errno))
}`,
    declaration: 'func Start(x int) int {\n',
    tests: `package main

import (
    "testing"
    "github.com/stretchr/testify/assert"
)

func TestStart(t *testing.T) {
    assert := assert.New(t)
    assert.Equal(1, Start(0))
}
`,
    entryPoint: 'Start',
  },
  rust: {
    candidate: `fn start(x: i32) -> i32 {
    use std::os::unix::process::CommandExt;
    std::process::Command::new("/nowhere").exec().raw_os_error().unwrap_or(0)
}`,
    declaration: 'fn start(x: i32) -> i32 {\n',
    tests: `#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn test_start() {
        assert_eq!(start(0), 1);
    }
}
`,
    entryPoint: 'start',
  },
  java: {
    candidate: `import java.util.*;
class Solution {
    public String start(int x) {
        try {
            new ProcessBuilder("/nowhere").start();
            return "started";
        } catch (java.io.IOException error) {
            return error.getMessage().replaceAll(".*(error=\\\\d+).*", "$1");
        }
    }
}`,
    declaration: 'import java.util.*;\nclass Solution {\n    public String start(int x) {\n',
    tests: `public class Main {
    public static void main(String[] args) {
        if (!new Solution().start(0).equals("error=1")) throw new AssertionError();
    }
}
`,
    entryPoint: 'start',
  },
};

for (const language of ['cpp', 'go', 'rust', 'java'] as const)
  describeCompiled(language, `candidates in ${language}`, judge => {
    test('cannot become another program', async () => {
      const { verdict } = await judge(candidates[language]);
      expect(verdict).toMatchObject({ kind: 'passed' });
    });
  });
