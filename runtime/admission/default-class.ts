import type { KubeObject } from '../machinery/object.ts';
import type { Lister } from '../resources/lister.ts';

/**
 * Finds the class that is the default: of several, the newest, and of those the first by name. The result is kept as long
 * as no class changes. (pkg/volume/util GetDefaultClass; plugin/pkg/admission/network/defaultingressclass getDefaultClass)
 *
 * @param annotations those of which one makes a class a default
 */
export class DefaultClass<T extends KubeObject> {
  readonly #lister: Lister<T>;
  readonly #annotations: readonly string[];
  #classes: readonly T[] | undefined;
  #found: T | undefined;

  constructor(lister: Lister<T>, annotations: readonly string[]) {
    this.#lister = lister;
    this.#annotations = annotations;
  }

  get(): T | undefined {
    const classes = this.#lister.list();
    if (classes === this.#classes) return this.#found;
    this.#classes = classes;
    this.#found = undefined;
    for (const one of classes) {
      const { annotations } = one.metadata;
      if (!this.#annotations.some((name) => annotations?.[name] === 'true')) continue;
      if (this.#found === undefined || created(one) > created(this.#found)) this.#found = one;
    }
    return this.#found;
  }
}

const created = ({ metadata }: KubeObject): string => metadata.creationTimestamp ?? '';
