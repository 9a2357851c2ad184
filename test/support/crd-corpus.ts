import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { pruneCustomResourceDefinition } from '../../generated/v1.35/apiextensions.k8s.io/v1/prune.ts';
import { decodeYaml } from '../../runtime/codec/yaml.ts';
import { setCustomResourceDefinitionDefaults } from '../../runtime/kinds/apiextensions.k8s.io/custom-resource-definition.ts';
import type { Json, JsonObject } from '../../runtime/machinery/object.ts';
import { PruneContext } from '../../runtime/machinery/prune/context.ts';
import type { TestObject } from './test-object.ts';

/** One document of the corpus beside the project. `file` is a path such as `argo-cd/application-crd.yaml`. */
export interface CorpusObject {
  readonly file: string;
  readonly object: TestObject;
}

/** A document with its file's text. */
export interface CorpusDocument extends CorpusObject {
  readonly text: string;
}

/** The folder `corpus`. Each of its folders has one folder per project. */
export class Corpus {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Returns the CustomResourceDefinitions of real projects in the validated form. */
  definitions(): CorpusObject[] {
    return this.#files('crds').map(({ file, text }) => {
      const value = decodeYaml(text) as JsonObject;
      // The server ignores the status of a request.
      const { status: _, ...rest } = value;
      const object = pruneCustomResourceDefinition(rest, new PruneContext()) as unknown as TestObject;
      setCustomResourceDefinitionDefaults(object);
      return { file, object };
    });
  }

  /** Returns the documents of a folder, `samples` or `samples-invalid`, unchanged. */
  samples(name: string): CorpusObject[] {
    return this.#files(name).flatMap(({ file, text }) =>
      parseAllDocuments(text.toString())
        .map((document) => document.toJS() as Json)
        .filter((value) => value !== null)
        .map((value) => ({ file, object: value as unknown as TestObject })),
    );
  }

  /** Returns the documents of a folder with their text, except those without a kind. */
  documents(name: string): CorpusDocument[] {
    return this.#files(name).flatMap(({ file, text }) =>
      text
        .toString()
        .split(/^---.*$/m)
        .map((one) => ({ file, text: one, object: parse(one) as TestObject }))
        .filter(({ object }) => object?.kind !== undefined),
    );
  }

  #files(name: string): { file: string; text: Buffer }[] {
    const folder = join(this.#folder, name);
    return readdirSync(folder)
      .flatMap((project) => readdirSync(join(folder, project)).map((file) => `${project}/${file}`))
      .map((file) => ({ file, text: readFileSync(join(folder, file)) }));
  }
}
