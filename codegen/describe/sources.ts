import { join } from 'node:path';
import { readIfPresent } from '../load/files.ts';
import type { Operation } from '../load/openapi.ts';
import { classNames, methodName, readModels, readOperations } from './client-node.ts';
import { readPulumi } from './pulumi.ts';

/** Where descriptions come from. */
export interface Sources {
  /** The names of the packages. */
  readonly packages: readonly string[];
  /** The descriptions of a schema and its fields. */
  schema(name: string): ReadonlyMap<string, string> | undefined;
  /** The descriptions of an operation and its parameters. */
  operation(operation: Operation): ReadonlyMap<string, string> | undefined;
}

/**
 * The versions of packages whose descriptions are those of a release, by release. @kubernetes/client-node 1.4.0 is of
 * v1.34: only the types that @pulumi/kubernetes leaves out are taken from it, and the operations; in v1.35 they are the same.
 */
const versions: Readonly<Record<string, Readonly<Record<'@pulumi/kubernetes' | '@kubernetes/client-node', string>>>> = {
  'v1.35': { '@pulumi/kubernetes': '4.28.0', '@kubernetes/client-node': '1.4.0' },
};

/** Returns undefined if a package is not installed, or not in the version whose descriptions are those of the release. */
export async function sourcesOf(release: string, packages: string): Promise<Sources | undefined> {
  if (!Object.hasOwn(versions, release)) return undefined;
  for (const [name, version] of Object.entries(versions[release])) {
    const manifest = await readIfPresent(join(packages, name, 'package.json'));
    if (manifest === undefined || JSON.parse(manifest).version !== version) return undefined;
  }
  const schemas = await readPulumi(join(packages, '@pulumi/kubernetes'));
  const models = await readModels(join(packages, '@kubernetes/client-node'));
  const operations = await readOperations(join(packages, '@kubernetes/client-node'));
  return {
    packages: Object.keys(versions[release]),
    schema: (name) =>
      schemas.of(name) ??
      classNames(name)
        .map((one) => models.of(one))
        .find(Boolean),
    operation: ({ operationId = '', tags = [] }) => operations.of(methodName(operationId, tags[0] ?? '')),
  };
}
