import { findDefaultClass } from '../kinds/storage.k8s.io/default-class.ts';
import type { KubeObject } from '../machinery/object.ts';
import type { Lister } from '../resources/lister.ts';

/** The default class of storage or ingresses, cached until a class changes. */
export class DefaultClass<T extends KubeObject> {
  readonly #lister: Lister<T>;
  readonly #annotations: readonly string[];
  #classes: readonly T[] | undefined;
  #found: T | undefined;

  /** @param annotations any of these makes a class the default */
  constructor(lister: Lister<T>, annotations: readonly string[]) {
    this.#lister = lister;
    this.#annotations = annotations;
  }

  get(): T | undefined {
    const classes = this.#lister.list();
    if (classes === this.#classes) return this.#found;
    this.#classes = classes;
    this.#found = findDefaultClass(classes, this.#annotations);
    return this.#found;
  }
}
