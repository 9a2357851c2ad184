import { excerpt } from '../../machinery/errors/excerpt.ts';
import { badRequest } from '../../machinery/errors/status.ts';
import { formatGroupVersion, type GroupVersionKind, parseGroupVersion } from '../../machinery/gvk.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { Manager } from './manager.ts';

/** Rejects configurations of another kind or version. (apimachinery versioncheck.go) */
export function newVersionCheckManager(inner: Manager, gvk: GroupVersionKind): Manager {
  return {
    update: (live, next, managed, manager) => inner.update(live, next, managed, manager),
    apply(request) {
      checkVersion(request.config, gvk);
      return inner.apply(request);
    },
  };
}

/** @throws StatusError 400 for a configuration of another kind or version */
export function checkVersion(config: KubeObject, gvk: GroupVersionKind): void {
  if (config.apiVersion === formatGroupVersion(gvk) && config.kind === gvk.kind) return;
  throw badRequest(`invalid object type: ${formatGroupVersionKind(config)}`);
}

/** Formats a GroupVersionKind as Go does: `apps/v1, Kind=Deployment`, `/v1, Kind=Pod`. */
export function formatGroupVersionKind(object: KubeObject): string {
  const groupVersion = parseGroupVersion(text(object.apiVersion));
  if (groupVersion === undefined) return '/, Kind=';
  return `${excerpt(groupVersion.group)}/${excerpt(groupVersion.version)}, Kind=${excerpt(text(object.kind))}`;
}

/** A configuration may contain anything: upstream reads other types as "". */
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
