import type { KubeObject } from './object.ts';

/** Read access to the objects of one resource, for rooms that may not import the store. Never blocks; always current. */
export interface Lister {
  get(namespace: string, name: string): KubeObject | undefined;
  list(namespace?: string): Iterable<KubeObject>;
}
