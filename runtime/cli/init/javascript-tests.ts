import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InitProject, Template } from './template.ts';

/** The tests behind the imports, which are the same in Vitest and in Jest. */
const tests = `
// One server for this file. Each test begins with the objects of a new cluster.
const cluster = useServer();

// Start your operator with cluster.kubeconfig, the text of a kubeconfig, in a beforeEach.

test('a ConfigMap is stored', async () => {
  const configMaps = cluster.client.core.v1.configmaps.namespace('default');
  await configMaps.create({ metadata: { name: 'settings' }, data: { size: '1' } });
  // waits until the object is as expected, for example after the operator has changed it
  await cluster.server.eventually({ apiVersion: 'v1', kind: 'ConfigMap', name: 'settings' }, (found) => found !== undefined);
  expect(cluster.requests({ verb: 'create', resource: 'configmaps' })).toHaveLength(1);
});

test('a forbidden write fails', async () => {
  await cluster.server.faults.add({
    match: { verbs: ['create'], resources: ['configmaps'] },
    occurrence: { count: 1 },
    fault: { status: { code: 403 } },
  });
  const configMaps = cluster.client.core.v1.configmaps.namespace('default');
  await expect(configMaps.create({ metadata: { name: 'settings' } })).rejects.toMatchObject({ status: { code: 403 } });
});
`;

export const vitest: Template = {
  name: 'vitest',
  about: 'a test of an operator, with Vitest',
  files: () => ({
    'operator.test.ts': `import { useServer } from 'kubeloom/vitest';\nimport { expect, test } from 'vitest';\n${tests}`,
  }),
  commands: () => ['npm install --save-dev kubeloom vitest', 'npx vitest run'],
  document: 'docs/testing.md',
};

export const jest: Template = {
  name: 'jest',
  about: 'a test of an operator, with Jest',
  files: (project) => ({ 'operator.test.js': `${jestImports(project)}${tests}` }),
  commands: (project) => [
    'npm install --save-dev kubeloom jest',
    isModule(project) ? 'NODE_OPTIONS=--experimental-vm-modules npx jest' : 'npx jest',
  ],
  document: 'docs/testing.md',
};

const jestImports = (project: InitProject): string =>
  isModule(project)
    ? "import { expect, test } from '@jest/globals';\nimport { useServer } from 'kubeloom/jest';\n"
    : "const { useServer } = require('kubeloom/jest');\n";

/** Reports whether files of the project that end with .js are ES modules. */
function isModule({ folder }: InitProject): boolean {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).type === 'module';
  } catch {
    return false;
  }
}
