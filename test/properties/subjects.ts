import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { catalog } from '../../generated/v1.35/catalog.ts';
import { formatGroupVersion } from '../../runtime/machinery/gvk.ts';
import type { ResourceDefinition } from '../../runtime/machinery/resource.ts';
import { readTables } from '../rules/table.ts';
import type { TestObject } from '../support/test-object.ts';

/** A kind at one of its versions. */
export interface Subject {
  /** `apps/v1 Deployment` */
  readonly title: string;
  readonly apiVersion: string;
  readonly definition: ResourceDefinition;
  /** The OpenAPI document of its group-version. */
  readonly document: string;
  /** A valid object, from examples.yaml or else from a table of rules. */
  readonly example: TestObject;
}

/** Returns all served kinds at all versions, in the order of discovery. @throws Error for a kind without an example */
export async function readSubjects(): Promise<Subject[]> {
  const examples = readExamples();
  const subjects: Subject[] = [];
  for (const groupVersion of catalog.groupVersions) {
    const apiVersion = formatGroupVersion(groupVersion);
    for (const definition of await groupVersion.load()) {
      if (!definition.verbs.includes('create')) continue;
      const title = `${apiVersion} ${definition.kind}`;
      const example = exampleOf(examples, definition, apiVersion);
      const { file: document = '' } = groupVersion.openapi ?? {};
      subjects.push({ title, apiVersion, definition, document, example });
    }
  }
  return subjects;
}

/** Returns the path of a kind's objects. */
export function collectionOf({ apiVersion, definition: { group, namespaced, resource } }: Subject): string {
  const base = group === '' ? '/api' : '/apis';
  return `${base}/${apiVersion}/${namespaced ? 'namespaces/default/' : ''}${resource}`;
}

/** Returns the example of the version, or of the storage version. */
function exampleOf(
  examples: ReadonlyMap<string, TestObject>,
  { group, kind, storageVersion, storageGroup = group, conversion }: ResourceDefinition,
  apiVersion: string,
): TestObject {
  const own = examples.get(`${apiVersion} ${kind}`);
  if (own !== undefined) return own;
  const stored = examples.get(`${formatGroupVersion({ group: storageGroup, version: storageVersion })} ${kind}`);
  if (stored === undefined) throw new Error(`no example of ${apiVersion} ${kind}`);
  return conversion.fromStorage(structuredClone(stored));
}

function readExamples(): ReadonlyMap<string, TestObject> {
  const file = new URL('./examples.yaml', import.meta.url);
  const examples: TestObject[] = parse(readFileSync(file, 'utf8'));
  const bases = readTables().map(({ apiVersion, kind, base }) => ({ apiVersion, kind, ...base }));
  const named = new Map<string, TestObject>();
  for (const example of [...examples, ...bases]) {
    const title = `${example.apiVersion} ${example.kind}`;
    if (!named.has(title)) named.set(title, { ...example, metadata: example.metadata ?? {} });
  }
  return named;
}
