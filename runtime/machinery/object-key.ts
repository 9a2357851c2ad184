import type { KubeObject } from './object.ts';

/** Identifies an object among the objects of its resource. */
export interface ObjectKey {
  /** "" for cluster-scoped objects. */
  readonly namespace: string;
  readonly name: string;
}

export const objectKeyOf = ({ metadata: { namespace = '', name = '' } }: Pick<KubeObject, 'metadata'>): ObjectKey => ({
  namespace,
  name,
});
