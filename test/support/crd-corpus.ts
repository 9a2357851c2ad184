import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { pruneCustomResourceDefinition } from '../../generated/v1.35/apiextensions.k8s.io/v1/prune.ts';
import { decodeYaml } from '../../runtime/codec/yaml.ts';
import type { Json, JsonObject, KubeObject } from '../../runtime/machinery/object.ts';
import { PruneContext } from '../../runtime/machinery/prune.ts';
import { setDefinitionDefaults } from '../../runtime/structural/defaults/apiextensions.ts';
import { sharedDir } from './shared.ts';

/** One document of the corpus beside the project; `file` as `argo-cd/application-crd.yaml`. */
export interface CorpusObject {
  readonly file: string;
  readonly object: KubeObject;
}

const folder = (name: string): string => join(sharedDir as string, 'corpus', name);

const filesOf = (name: string): string[] =>
  readdirSync(folder(name)).flatMap((project) =>
    readdirSync(join(folder(name), project)).map((file) => `${project}/${file}`),
  );

/** The CustomResourceDefinitions of real projects, as they are when they are validated. */
export function corpusDefinitions(): CorpusObject[] {
  return filesOf('crds').map((file) => {
    const value = decodeYaml(readFileSync(join(folder('crds'), file))) as JsonObject;
    // What a client sends as status is not looked at.
    const { status: _, ...rest } = value;
    const object = pruneCustomResourceDefinition(rest, new PruneContext()) as unknown as KubeObject;
    setDefinitionDefaults(object);
    return { file, object };
  });
}

/** The documents of a folder, `samples` or `samples-invalid`, as their files have them. */
export function corpusSamples(name: string): CorpusObject[] {
  return filesOf(name).flatMap((file) =>
    parseAllDocuments(readFileSync(join(folder(name), file), 'utf8'))
      .map((document) => document.toJS() as Json)
      .filter((value) => value !== null)
      .map((value) => ({ file, object: value as unknown as KubeObject })),
  );
}
