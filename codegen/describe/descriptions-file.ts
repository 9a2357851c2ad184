import type { OpenApiDocument, Schema } from '../load/openapi.ts';
import type { Sources } from './sources.ts';
import type { Templates } from './templates.ts';

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';

/** The response types of /api, /apis and /version, which no document of a group-version has. */
const rootTypes = [
  ...['APIVersions', 'APIGroupList', 'APIGroup', 'GroupVersionForDiscovery', 'ServerAddressByClientCIDR'].map((type) => `${meta}.${type}`),
  'io.k8s.apimachinery.pkg.version.Info',
];

/**
 * The operations without a group-version that return these types, and others: id -> tag. The description is equal in
 * all groups.
 */
const rootOperations = {
  getAPIVersions: 'apis',
  getCoreAPIVersions: 'core',
  getAPIGroup: 'apps',
  getCodeVersion: 'version',
  getServiceAccountIssuerOpenIDConfiguration: 'WellKnown',
  getServiceAccountIssuerOpenIDKeyset: 'openid',
};

/**
 * Returns the text of the file that runtime/machinery/descriptions reads: in each line, a name and its texts as JSON.
 */
export function descriptionsText(documents: readonly OpenApiDocument[], templates: Templates, sources: Sources): string {
  const lines = new Map<string, Readonly<Record<string, string>>>();
  for (const { components } of documents) {
    for (const [name, schema] of Object.entries(components?.schemas ?? {})) lines.set(name, textsOf(schema));
  }
  // types without a schema: objects with only the common fields, or lists
  const { apiVersion = '', kind = '', metadata = '' } = lines.get('io.k8s.api.core.v1.Pod') ?? {};
  lines.set(`${meta}.TypeMeta`, { apiVersion, kind });
  lines.set(`${meta}.PartialObjectMetadata`, { apiVersion, kind, metadata });
  for (const name of rootTypes) lines.set(name, Object.fromEntries(sources.schema(name)));
  lines.set('#roots', Object.fromEntries(rootTexts(sources)));
  lines.set('#operations', templates.operations);
  lines.set('#parameters', templates.parameters);
  return `\n${[...lines].map(([name, texts]) => `${name}\t${JSON.stringify(texts)}\n`).join('')}`;
}

function* rootTexts(sources: Sources): Generator<[string, string]> {
  for (const [operationId, tag] of Object.entries(rootOperations)) {
    const text = sources.operation({ operationId, tags: [tag] })?.get('');
    if (text !== undefined) yield [operationId, text];
  }
}

function textsOf({ description, properties = {} }: Schema): Record<string, string> {
  const texts: Record<string, string> = description === undefined ? {} : { '': description };
  for (const [name, field] of Object.entries(properties)) {
    if (field.description !== undefined) texts[name] = field.description;
  }
  return texts;
}
