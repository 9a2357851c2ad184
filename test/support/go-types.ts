import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A field of a Go struct; an embedded struct has no JSON name. */
export interface GoField {
  readonly json: string;
  readonly type: string;
}
type Facts = Record<string, Record<string, { kind: string; fields?: GoField[] }>>;

const groupPackages: Record<string, string> = {
  'rbac.authorization': 'rbac',
  'flowcontrol.apiserver': 'flowcontrol',
  'internal.apiserver': 'apiserverinternal',
};

/** Returns the Go package of an overlay's folder: `core/v1` -> `k8s.io/api/core/v1`. */
export function goPackage(folderName: string): string {
  const [group = '', version = ''] = folderName.split('/');
  if (group === 'apiextensions.k8s.io') return `k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/${version}`;
  if (group === 'apiregistration.k8s.io') return `k8s.io/kube-aggregator/pkg/apis/apiregistration/${version}`;
  const short = group.replace(/\.k8s\.io$/, '');
  return `k8s.io/api/${groupPackages[short] ?? short}/${version}`;
}

/** Looks up Go structs in field-facts.json. */
export class TypeBook {
  readonly #facts: Facts;

  constructor(schemas: string) {
    this.#facts = JSON.parse(readFileSync(join(schemas, 'field-facts.json'), 'utf8')) as Facts;
  }

  /** Returns a struct's fields by JSON name, including those of embedded structs; undefined for an unknown struct. */
  fields(inPackage: string, type: string): Map<string, { type: string; inPackage: string }> | undefined {
    const found = this.#find(inPackage, type);
    if (!found) return undefined;
    const fields = new Map<string, { type: string; inPackage: string }>();
    for (const field of found.fields) {
      if (field.json !== '') fields.set(field.json, { type: field.type, inPackage: found.inPackage });
      else for (const [name, inner] of this.fields(found.inPackage, field.type) ?? []) fields.set(name, inner);
    }
    return fields;
  }

  /** Reports whether a dotted path leads to a field. Keys of maps are not checked. */
  leads(inPackage: string, type: string, path: readonly string[]): boolean {
    const [step, ...rest] = path;
    if (step === undefined) return true;
    if (type.startsWith('map[')) return this.leads(inPackage, type.replace(/^map\[[^\]]*\]/, ''), rest);
    const field = this.fields(inPackage, type)?.get(step);
    return field !== undefined && this.leads(field.inPackage, field.type, rest);
  }

  #find(inPackage: string, type: string): { fields: GoField[]; inPackage: string } | undefined {
    const name = type.replace(/^\[\]/, '').replace(/^.*\./, '');
    const stable = inPackage.replace(/[^/]*$/, 'v1');
    for (const candidate of [inPackage, stable, 'k8s.io/apimachinery/pkg/apis/meta/v1', 'k8s.io/api/core/v1']) {
      const fact = this.#facts[candidate]?.[name];
      if (fact?.kind === 'struct') return { fields: fact.fields ?? [], inPackage: candidate };
    }
    return undefined;
  }
}
