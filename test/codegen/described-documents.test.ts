import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { catalog } from '../../generated/v1.35/catalog.ts';
import { formatGroupVersion } from '../../runtime/machinery/gvk.ts';
import { builtFolder, missingDescriptions } from '../support/built-descriptions.ts';
import { describeShared } from '../support/shared.ts';
import { describeUnless } from '../support/skipping.ts';

// biome-ignore lint/suspicious/noExplicitAny: documents are only compared
type Node = any;

const json = async (file: string): Promise<Node> => JSON.parse(await readFile(file, 'utf8'));
const files = catalog.groupVersions.map(({ group, version }) => (group === '' ? `api/${version}.json` : `apis/${group}/${version}.json`));
const groupVersions = catalog.groupVersions.map((each, index) => [formatGroupVersion(each), files[index]] as const);

function withoutDescriptions(node: Node): Node {
  if (Array.isArray(node)) return node.map(withoutDescriptions);
  if (typeof node !== 'object' || node === null) return node;
  const isProse = ([key, value]: [string, Node]): boolean => key === 'description' && typeof value === 'string';
  const rest = Object.entries(node).filter((entry) => !isProse(entry));
  return Object.fromEntries(rest.map(([key, value]) => [key, withoutDescriptions(value)]));
}

/** Returns the descriptions of schemas and their fields. */
function descriptionsIn({ components }: Node): Map<string, string> {
  const found = new Map<string, string>();
  for (const [name, schema] of Object.entries<Node>(components.schemas)) {
    const parts: [string, Node][] = [['', schema], ...Object.entries<Node>(schema.properties ?? {})];
    for (const [field, { description }] of parts) if (description !== undefined) found.set(`${name} ${field}`, description);
  }
  return found;
}

describeUnless(missingDescriptions)('documents with descriptions', () => {
  const described = (file: string): string => join(builtFolder ?? '', file);

  test.each(groupVersions)('%s is as committed otherwise, and its kinds are described', async (_, file) => {
    const [built, committed] = [await json(described(`v3/${file}`)), await json(`generated/v1.35/openapi/v3/${file}`)];
    expect(withoutDescriptions(built)).toEqual(withoutDescriptions(committed));
    const kinds = Object.values<Node>(built.components.schemas).filter((one) => one['x-kubernetes-group-version-kind']);
    expect(kinds.filter(({ description }) => !description)).toEqual([]);
  });

  test('v2 describes what v3 describes', async () => {
    const { definitions } = await json(described('v2.json'));
    const all = descriptionsIn({ components: { schemas: definitions } });
    for (const file of files) {
      const missing = [...descriptionsIn(await json(described(`v3/${file}`)))].filter(([name, text]) => all.get(name) !== text);
      expect(missing).toEqual([]);
    }
  });

  describeShared('the sentences are those of upstream', (shared) => {
    // upstream's file lacks the values of enums
    const plain = (text: string | undefined): string | undefined => text?.replace(/\n\nPossible enum values:.*/s, '');
    // one has another line break; the others are described in no package
    const others = new Set([
      'io.k8s.api.authorization.v1.ResourceRule resources',
      'io.k8s.api.authorization.v1.ResourceAttributes fieldSelector',
      'io.k8s.api.authorization.v1.ResourceAttributes labelSelector',
      'io.k8s.apimachinery.pkg.util.intstr.IntOrString ',
    ]);

    test.each(groupVersions)('%s', async (_, file) => {
      const built = descriptionsIn(await json(described(`v3/${file}`)));
      const upstream = descriptionsIn(await json(join(shared, `schemas/v1.35/openapi/${file}`)));
      const differs = (name: string): boolean => plain(built.get(name)) !== upstream.get(name);
      const names = [...new Set([...built.keys(), ...upstream.keys()])];
      expect(names.filter((name) => differs(name) && !others.has(name))).toEqual([]);
    });
  });
});
