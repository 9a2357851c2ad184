import { formatGroupResource, type GroupResource } from '../../../machinery/gvk.ts';

/** Parses `secrets`, `deployments.apps`, `*.`, `*.*`. (apimachinery schema.ParseGroupResource) */
export function parseGroupResource(text: string): GroupResource {
  const dot = text.indexOf('.');
  return dot < 0 ? { group: '', resource: text } : { group: text.slice(dot + 1), resource: text.slice(0, dot) };
}

/** Formats a name for `parseGroupResource`. All resources of the core group are `*.`. */
export function configuredName(name: GroupResource): string {
  return name.group === '' && name.resource === '*' ? '*.' : formatGroupResource(name);
}
