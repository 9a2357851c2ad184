import { join } from 'node:path';
import { readIfPresent } from '../load/files.ts';
import type { Operation } from '../load/openapi.ts';
import { classNames, methodName, readModels, readOperations } from './client-node.ts';
import { readKubernetesTypes } from './kubernetes-types.ts';
import { readPulumi } from './pulumi.ts';

/** The sources of descriptions. */
export interface Sources {
  /** The names of the packages. */
  readonly packages: readonly string[];
  /** The descriptions of a schema and its fields. */
  schema(name: string): ReadonlyMap<string, string>;
  /** The descriptions of an operation and its parameters. */
  operation(operation: Operation): ReadonlyMap<string, string> | undefined;
}

/**
 * The versions of the packages whose descriptions match a release, by release. kubernetes-types 1.30.0 and
 * @kubernetes/client-node 1.4.0 match v1.30 and v1.34: they supply only the texts that @pulumi/kubernetes leaves out,
 * and client-node those of operations, which are the same in v1.35.
 */
const versions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'v1.35': { '@pulumi/kubernetes': '4.28.0', '@kubernetes/client-node': '1.4.0', 'kubernetes-types': '1.30.0' },
};

/** Returns undefined if a package is not installed, or not in the version that matches the release. */
export async function sourcesOf(release: string, packages: string): Promise<Sources | undefined> {
  const wanted = Object.hasOwn(versions, release) ? versions[release] : undefined;
  if (wanted === undefined) return undefined;
  for (const [name, version] of Object.entries(wanted)) {
    const manifest = await readIfPresent(join(packages, name, 'package.json'));
    if (manifest === undefined || JSON.parse(manifest).version !== version) return undefined;
  }
  const pulumi = await readPulumi(join(packages, '@pulumi/kubernetes'));
  const models = await readModels(join(packages, '@kubernetes/client-node'));
  const others = await readKubernetesTypes(join(packages, 'kubernetes-types'));
  const operations = await readOperations(join(packages, '@kubernetes/client-node'));
  return {
    packages: Object.keys(wanted),
    schema(name) {
      const model = classNames(name).find((one) => models.of(one) !== undefined);
      return completed(pulumi.of(name) ?? models.of(model ?? '') ?? none, others.of(name) ?? none);
    },
    operation: ({ operationId = '', tags = [] }) => operations.of(methodName(operationId, tags[0] ?? '')),
  };
}

type Parts = ReadonlyMap<string, string>;
const none: Parts = new Map();

/** Adds descriptions from other texts. Where both have the same words, the line breaks of the others are right. */
function completed(texts: Parts, others: Parts): Parts {
  const same = [...others].filter(([part, text]) => wordsOf(texts.get(part) ?? text) === wordsOf(text));
  return new Map([...texts, ...same]);
}

const wordsOf = (text: string): string => text.replace(/\s+/g, ' ');
