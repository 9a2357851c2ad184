import { stringifyRawJson } from '../../machinery/json/raw-json.ts';
import type { KubeObject } from '../../machinery/object.ts';
import { kubectlManager, lastAppliedAnnotation, lastAppliedOf, withLastApplied } from './last-applied.ts';
import type { Manager } from './manager.ts';

/**
 * Keeps the annotation of client-side apply as kubectl's server-side apply left the object, so that one can go back.
 * (apimachinery lastappliedupdater.go)
 */
export function updateLastApplied(inner: Manager): Manager {
  return {
    update: (live, next, managed, manager) => inner.update(live, next, managed, manager),
    apply(live, config, managed, manager, force) {
      const result = inner.apply(live, config, managed, manager, force);
      if (manager !== kubectlManager || lastAppliedOf(result.object) === undefined) return result;
      return { ...result, object: withLastApplied(result.object, lastAppliedText(config)) };
    },
  };
}

/** As unstructured objects are written: keys in order, and an end of line. */
function lastAppliedText(config: KubeObject): string {
  const { annotations, ...metadata } = config.metadata;
  const { [lastAppliedAnnotation]: _dropped, ...others } = annotations ?? {};
  const kept = annotations && Object.keys(others).length > 0 ? { annotations: others } : {};
  return `${stringifyRawJson(sorted({ ...config, metadata: { ...metadata, ...kept } }))}\n`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}
