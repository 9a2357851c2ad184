import { fnv64 } from '../../../machinery/go/fnv.ts';
import type { OpenAPIObject } from './dialect.ts';

/** The parameters that operations share. (kube-openapi pkg/builder/parameters.go) */
export class SharedParameters {
  readonly #texts = new Map<string, string>();

  /** JSON by name. */
  get texts(): ReadonlyMap<string, string> {
    return this.#texts;
  }

  /** Returns a reference to the parameter, and adds it. Returns the parameter itself if it is not shared. */
  reference(parameter: OpenAPIObject): OpenAPIObject {
    if (!isShared(parameter)) return parameter;
    const text = JSON.stringify(parameter);
    const name = `${parameter.name}-${hashOf(text)}`;
    this.#texts.set(name, text);
    return { $ref: `#/parameters/${name}` };
  }
}

/**
 * Reports whether operations share the parameter. Names and most bodies differ from kind to kind. Old versions of
 * kubectl look for fieldValidation and dryRun in the operation itself.
 */
function isShared({ in: place, name, schema }: OpenAPIObject): boolean {
  if (name === 'name' || name === 'fieldValidation' || name === 'dryRun') return false;
  return place !== 'body' || JSON.stringify(schema).startsWith('{"$ref":"#/definitions/io.k8s.apimachinery');
}

/** Hashes of the few parameters that all definitions have. */
const hashes = new Map<string, string>();

function hashOf(text: string): string {
  let hash = hashes.get(text);
  if (hash === undefined) {
    hash = fnv64(text).toString('base64url', 0, 6);
    hashes.set(text, hash);
  }
  return hash;
}
