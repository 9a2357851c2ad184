import { stringifyRawJson } from '../../machinery/json/raw-json.ts';
import type { KubeObject } from '../../machinery/object.ts';
import { kubectlManager, lastAppliedAnnotation, lastAppliedOf, withLastApplied } from './last-applied.ts';
import type { Manager } from './manager.ts';

/**
 * Updates the annotation of client-side apply when kubectl applies on the server. Users can then switch back.
 * (apimachinery lastappliedupdater.go)
 */
export function newLastAppliedUpdater(inner: Manager): Manager {
  return {
    update: (live, next, managed, manager) => inner.update(live, next, managed, manager),
    apply(request) {
      const result = inner.apply(request);
      if (request.manager !== kubectlManager || lastAppliedOf(result.object) === undefined) return result;
      return { ...result, object: withLastApplied(result.object, buildLastApplied(request.config)) };
    },
  };
}

/** Encodes the configuration as unstructured objects: sorted keys and a final newline. */
function buildLastApplied(config: KubeObject): string {
  if (!config.metadata) return `${stringifyRawJson(withSortedKeys(config))}\n`;
  const { annotations, ...metadata } = config.metadata;
  const { [lastAppliedAnnotation]: _removed, ...others } = annotations ?? {};
  const remaining = annotations && Object.keys(others).length > 0 ? { annotations: others } : {};
  return `${stringifyRawJson(withSortedKeys({ ...config, metadata: { ...metadata, ...remaining } }))}\n`;
}

function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, withSortedKeys(inner)]),
  );
}
