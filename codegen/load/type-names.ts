import type { TypeId } from '../model/model.ts';
import { camelCase } from '../model/names.ts';
import { nameOf } from './packages.ts';
import { isKubernetes } from './user-schemas/kubernetes.ts';

/** Names with another meaning in generated types.ts files. */
const taken: ReadonlySet<string> = new Set(['Record', 'Json', 'JsonObject']);

/**
 * Assigns TypeScript names to types: Kubernetes' types have their Go names, custom types the names of their components.
 */
export class TypeNames {
  readonly #names = new Map<string, Set<string>>();

  /** @param folder the folder in which names must differ, even in the camel case of generated functions */
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

/**
 * Returns a component's name as a type: `my-thing` -> `MyThing`, `class` -> `Class`, `3d` -> `T3d`. A capitalised name
 * is never a reserved word.
 */
function typeName(component: string): string {
  const joined = component.replace(/[^A-Za-z0-9_]+(.)?/g, (_, next: string | undefined) => next?.toUpperCase() ?? '');
  const bare = joined.replace(/^_+/, '');
  const name = /^[A-Za-z]/.test(bare) ? `${bare.charAt(0).toUpperCase()}${bare.slice(1)}` : `T${bare}`;
  return taken.has(name) ? `${name}Type` : name;
}
