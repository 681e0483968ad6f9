const MAX_OUTPUT = 65_536;

/**
 * Resolves, once a process has ended, with the line of its output that says why it did not run the tests.
 * @param name of the framework
 */
export function complaintOf(child, name) {
  let text = '';
  const keep = piece => {
    if (text.length < MAX_OUTPUT) text += piece;
  };
  child.stdout?.on('data', keep);
  child.stderr.on('data', keep);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', () => {
      const lines = text.split('\n').map(line => line.trim());
      const line = lines.find(each => /^\S*Error\b/.test(each)) ?? lines.find(Boolean);
      resolve(line ?? `${name} ended without a report`);
    });
  });
}
