/** Prints one line before Jest's summary: the suites with skipped tests, and the reasons given to skipping.ts. */
export default class SkipReporter {
  onRunComplete(_contexts, { testResults }) {
    const suites = new Map();
    for (const { testFilePath, testResults: tests } of testResults) {
      for (const { status, title } of tests) {
        const reason = / \(skipped: (.+)\)$/.exec(title)?.[1];
        if (status !== 'pending' || reason === undefined) continue;
        suites.set(reason, (suites.get(reason) ?? new Set()).add(nameOf(testFilePath)));
      }
    }
    const lines = [...suites].map(([reason, names]) => `${reason}: ${counted([...names].sort())}`);
    if (lines.length > 0) process.stderr.write(`\nSkipped:     ${lines.join('; ')}\n`);
  }
}

/** `.../test/unit/codec/yaml.test.ts` is `unit/codec/yaml`. */
const nameOf = (path) => path.replace(/^.*\/test\//, '').replace(/\.test\.ts$/, '');

const counted = (names) => `${names.length} ${names.length === 1 ? 'suite' : 'suites'} (${names.join(', ')})`;
