import { Walkthrough } from '../support/walkthrough.ts';

/** The name of the project in the table. */
export const newGroup = 'docs/new-group.md';

/** Configurations of formatters that want another style than the house's. */
const otherStyle = {
  'biome.json': JSON.stringify({
    formatter: { indentStyle: 'tab', lineWidth: 60 },
    javascript: { formatter: { quoteStyle: 'double', semicolons: 'asNeeded' } },
  }),
  '.prettierrc': JSON.stringify({ tabWidth: 8, singleQuote: false, semi: false }),
  '.editorconfig': 'root = true\n[*]\nindent_style = tab\nend_of_line = crlf\n',
};

/** The group of the document, whose strategy finds a value missing. */
const probe = `import { FieldPath, fieldErrors } from 'kubeloom';
import { factory } from './generated/factory/index.ts';

export default factory({
  robots: {
    validate: () => [
      fieldErrors.required(FieldPath.of('spec', 'tools'), 'a robot needs a tool'),
      fieldErrors.forbidden(FieldPath.of('spec', 'arms'), 'not today'),
    ],
  },
});
`;

/** Compares `import` with `require` in one process. */
const bothForms = `import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import * as kubeloom from 'kubeloom';
import * as builtin from 'kubeloom/generated/v1.35/client';
import * as older from 'kubeloom/generated/v1.33/client';
import * as testing from 'kubeloom/generated/testing/client';

const require = createRequire(import.meta.url);
const modules = {
  kubeloom,
  'kubeloom/generated/v1.35/client': builtin,
  'kubeloom/generated/v1.33/client': older,
  'kubeloom/generated/testing/client': testing,
};
for (const [path, module] of Object.entries(modules))
  for (const [name, value] of Object.entries(module)) assert.equal(require(path)[name], value, path + ': ' + name);
`;

/** Compares what the package, its modules and a generated group share. */
const identities = `import assert from 'node:assert/strict';
import { fieldErrors, startServer } from 'kubeloom';
import { createClient as createBuiltin } from 'kubeloom/generated/v1.35/client';
import { createClient as createOlder } from 'kubeloom/generated/v1.33/client';
import { StatusError } from 'kubeloom/runtime/machinery/errors/status.js';
import { FieldPath } from 'kubeloom/runtime/machinery/validation/field-path.js';
import { omittedValue } from 'kubeloom/runtime/machinery/validation/field-error.js';
import * as kubeloom from 'kubeloom';
import { createClient } from './generated/factory/index.ts';
import probe from './probe.ts';

assert.equal(fieldErrors.omittedValue, omittedValue);
assert.equal(kubeloom.FieldPath, FieldPath);

const server = await startServer({ groups: [probe] });
const credentials = {
  server: server.url,
  ca: server.caCertificate,
  cert: server.clientCertificate,
  key: server.clientKey,
};
const own = createClient(credentials);
const clients = [await server.client(), createBuiltin(credentials), createOlder(credentials)];
for (const client of clients) {
  const error = await client.core.v1.configmaps.namespace('default').get('nobody').catch((reason: unknown) => reason);
  assert.ok(error instanceof StatusError, 'an error of a client has a class of its own');
}
const refused = async (spec: object): Promise<string> => {
  const robot = { metadata: { name: 'r' }, spec } as never;
  const error = await own.factory.v1.robots.namespace('default').create(robot).catch((reason: unknown) => reason);
  assert.ok(error instanceof StatusError, 'an error of a client of an own group has a class of its own');
  return error.message;
};
assert.match(await refused({}), /spec\\.model: Required value$/);
assert.match(await refused({ model: 'B' }), /spec\\.tools: Required value: a robot needs a tool, spec\\.arms: Forbidden: not today/);
assert.match(await refused({ model: 'B', arms: 9 }), /spec\\.arms: Invalid value: 9: /);
own.close();
for (const client of clients) client.close();
await server.close();
`;

const compilerOptions = {
  module: 'nodenext',
  target: 'es2022',
  strict: true,
  noEmit: true,
  types: ['node'],
  allowImportingTsExtensions: true,
};

const robot = `kubectl --kubeconfig=probe.kubeconfig create -f - 2>&1 <<'EOF' || true
apiVersion: factory.example.com/v1
kind: Robot
metadata: { name: marvin }
spec: { model: B }
EOF
`;

/**
 * Follows docs/new-group.md with the packed package in an empty folder, and then asks more of the group that it makes: types,
 * identities, messages, and the bytes of what is generated.
 *
 * @throws Error with what the first command printed that did not do as it should
 */
export async function followNewGroup(tarball: string): Promise<void> {
  const walkthrough = await Walkthrough.open('docs/new-group.md', tarball);
  try {
    const said = await walkthrough.follow();
    expectText(said, /robot\.factory\.example\.com\/marvin created/);
    expectText(said, /^NAME +ARMS +AGE\nmarvin +2 +\S+$/m);
    await addTools(walkthrough);
    await walkthrough.run('npx', ['tsx', '--test', 'robots.test.ts']);
    await walkthrough.run('npx', ['tsc', '-p', '.']);
    await walkthrough.run('node', ['both-forms.mjs']);
    await walkthrough.run('npx', ['tsx', 'identities.ts']);
    await expectMessages(walkthrough);
    await expectSameBytes(walkthrough);
  } finally {
    await walkthrough.close();
  }
}

/** What runs and checks TypeScript in any release of Node. */
async function addTools(walkthrough: Walkthrough): Promise<void> {
  await install(walkthrough, 'tsx@4', '@types/node@20');
  await walkthrough.write('probe.ts', probe);
  await walkthrough.write('both-forms.mjs', bothForms);
  await walkthrough.write('identities.ts', identities);
  const include = ['*.ts', 'generated', 'clients'];
  await walkthrough.write('tsconfig.json', JSON.stringify({ compilerOptions, include }));
}

/** The command loads the same machinery as the group that it serves. */
async function expectMessages(walkthrough: Walkthrough): Promise<void> {
  await walkthrough.serve(
    'npx kubeloom serve --group ./probe.ts --no-builtin --secure-port=0 --storage=memory --write-kubeconfig=probe.kubeconfig',
  );
  const said = await walkthrough.run('sh', ['-ec', robot]);
  expectText(said, /spec\.tools: Required value: a robot needs a tool/);
  expectText(said, /spec\.arms: Forbidden: not today/);
}

/** What lies in the folder, as a formatter and its configuration, does not change what is generated. */
async function expectSameBytes(walkthrough: Walkthrough): Promise<void> {
  const generate = (out: string): Promise<string> =>
    walkthrough.run('npx', ['kubeloom', 'generate', '--schemas', 'schemas/factory', '--out', out]);
  await install(walkthrough, '@biomejs/biome@2', 'prettier@3');
  await generate('beside-formatters');
  for (const [file, text] of Object.entries(otherStyle)) await walkthrough.write(file, text);
  await generate('beside-configurations');
  for (const folder of ['beside-formatters', 'beside-configurations'])
    await walkthrough.run('diff', ['-r', 'generated/factory', `${folder}/factory`]);
}

async function install(walkthrough: Walkthrough, ...packages: readonly string[]): Promise<void> {
  await walkthrough.run('npm', ['install', '--no-audit', '--no-fund', '--save-dev', ...packages]);
}

function expectText(text: string, wanted: RegExp): void {
  if (!wanted.test(text)) throw new Error(`${wanted} is not in what was printed:\n${text}`);
}
