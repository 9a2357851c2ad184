import type { TypeId } from '../model/model.ts';
import { camelCase } from '../model/names.ts';
import { nameOf } from './packages.ts';
import { isKubernetes } from './user-schemas/kubernetes.ts';

/** Names that generated types.ts files use for something else. */
const taken: ReadonlySet<string> = new Set(['Record', 'Json', 'JsonObject']);

/** Gives types their TypeScript names: those of Kubernetes as in Go, those of one's own groups by their components. */
export class TypeNames {
  readonly #names = new Map<string, Set<string>>();

  /** @param folder in which names have to be different, also after generated functions have put them into camel case */
  nameFor(id: TypeId, folder: string): string {
    if (isKubernetes(id)) return nameOf(id);
    const names = this.#names.get(folder) ?? new Set();
    this.#names.set(folder, names);
    const wanted = typeName(nameOf(id));
    let name = wanted;
    for (let number = 2; names.has(camelCase(name)); number++) name = `${wanted}${number}`;
    names.add(camelCase(name));
    return name;
  }
}

/** `my-thing` -> `MyThing`, `class` -> `Class`, `3d` -> `T3d`. A name in capitals is no word of TypeScript. */
function typeName(component: string): string {
  const joined = component.replace(/[^A-Za-z0-9_]+(.)?/g, (_, next: string | undefined) => next?.toUpperCase() ?? '');
  const bare = joined.replace(/^_+/, '');
  const name = /^[A-Za-z]/.test(bare) ? `${bare.charAt(0).toUpperCase()}${bare.slice(1)}` : `T${bare}`;
  return taken.has(name) ? `${name}Type` : name;
}
