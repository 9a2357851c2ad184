import type { KubeObject } from './object.ts';

/** The name of an object among those of its resource. */
export interface ObjectKey {
  /** "" for cluster-scoped objects. */
  readonly namespace: string;
  readonly name: string;
}

export const objectKeyOf = ({ metadata: { namespace = '', name = '' } }: Pick<KubeObject, 'metadata'>): ObjectKey => ({
  namespace,
  name,
});
