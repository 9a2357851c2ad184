import { parseGroupVersion } from '../../machinery/gvk.ts';
import type { KubeObject } from '../../machinery/object.ts';

/** As Go prints a GroupVersionKind: `apps/v1, Kind=Deployment`, `/v1, Kind=Pod`. */
export function kindText({ apiVersion = '', kind = '' }: KubeObject): string {
  const { group = '', version = '' } = parseGroupVersion(apiVersion) ?? {};
  return `${group}/${version}, Kind=${kind}`;
}

/** Namespace, name and kind, for messages. */
export function objectText(object: KubeObject): string {
  const { name = '', namespace = '' } = object.metadata ?? {};
  return `${namespace}/${name}; ${kindText(object)}`;
}
