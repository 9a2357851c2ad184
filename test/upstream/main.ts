import { writeFile } from 'node:fs/promises';
import { namesInOnly } from '../support/names-in-only.ts';
import { goSuite } from './go-suite.ts';
import { kubectlCmd } from './kubectl-cmd.ts';
import type { SuiteResult } from './suite.ts';

/**
 * Runs suites of Kubernetes on this server, unchanged, and prints how many of their tests pass: `make test-upstream`. They
 * are fetched from Go's module proxy. ONLY, names of suites; REPORT, a file for the results.
 */
const suites = [
  kubectlCmd,
  goSuite({
    name: 'apiextensions-apiserver test/integration',
    module: 'k8s.io/apiextensions-apiserver',
    packages: ['test/integration/...'],
    server: { by: 'apiextensions/testserver.go', replaced: 'pkg/cmd/server/testing/testserver.go' },
  }),
  goSuite({
    name: 'client-go test/integration/client',
    module: 'k8s.io/kubernetes',
    packages: ['test/integration/client'],
    server: { by: 'kubernetes/testserver.go', replaced: 'cmd/kube-apiserver/app/testing/testserver.go' },
  }),
];
const { REPORT: file = '' } = process.env;
const only = namesInOnly(suites.map(({ name }) => name));

const results: SuiteResult[] = [];
console.log('| suite | version | result |\n|---|---|---|');
for (const suite of suites) {
  if (only.length > 0 && !only.includes(suite.name)) continue;
  const missing = suite.missing();
  if (missing !== undefined) {
    console.log(`| ${suite.name} | | skipped: ${missing} |`);
    continue;
  }
  const result = await suite.run();
  results.push(result);
  console.log(`| ${result.name} | ${result.version} | passes ${result.passed} of ${result.total} |`);
  for (const name of result.failed) console.log(`  fails: ${name}`);
}
if (file !== '') await writeFile(file, `${JSON.stringify(results, undefined, 2)}\n`);
