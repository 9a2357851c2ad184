import { CompiledRules } from './compiled-rules.ts';
import type { PolicyRule } from './objects.ts';

/** A role that bindings refer to. It need not exist. */
export interface BoundRole {
  /** Absent if the role does not exist. */
  readonly rules?: CompiledRules;
}

interface CountedRole {
  rules?: CompiledRules;
  /** The number of bindings that refer to the role. */
  bindings: number;
}

/** Roles by namespace and name. A binding keeps a reference to its role, and sees each change of it. */
export class BoundRoles {
  readonly #roles = new Map<string, CountedRole>();

  get(namespace: string, name: string): BoundRole | undefined {
    return this.#roles.get(keyOf(namespace, name));
  }

  set(namespace: string, name: string, rules: readonly PolicyRule[]): void {
    this.#at(namespace, name).rules = new CompiledRules(rules);
  }

  /** Returns a copy of the existing roles without bindings. The copy shares the compiled rules. */
  copy(): BoundRoles {
    const copy = new BoundRoles();
    for (const [key, { rules }] of this.#roles) if (rules !== undefined) copy.#roles.set(key, { rules, bindings: 0 });
    return copy;
  }

  delete(namespace: string, name: string): void {
    const role = this.#roles.get(keyOf(namespace, name));
    if (role === undefined) return;
    delete role.rules;
    this.#drop(namespace, name, role);
  }

  bind(namespace: string, name: string): BoundRole {
    const role = this.#at(namespace, name);
    role.bindings++;
    return role;
  }

  unbind(namespace: string, name: string): void {
    const role = this.#at(namespace, name);
    role.bindings--;
    this.#drop(namespace, name, role);
  }

  #at(namespace: string, name: string): CountedRole {
    const key = keyOf(namespace, name);
    let role = this.#roles.get(key);
    if (role === undefined) {
      role = { bindings: 0 };
      this.#roles.set(key, role);
    }
    return role;
  }

  #drop(namespace: string, name: string, { rules, bindings }: CountedRole): void {
    if (rules === undefined && bindings === 0) this.#roles.delete(keyOf(namespace, name));
  }
}

/** Returns a key. Names have no slashes, and cluster roles have the namespace "". */
const keyOf = (namespace: string, name: string): string => `${namespace}/${name}`;
