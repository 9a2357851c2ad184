import { equalJson } from '../../../machinery/json/equality.ts';
import type { KubeObject } from '../../../machinery/object.ts';
import type { RESTStrategy } from '../../rest.ts';

const annotation = 'deprecated.daemonset.template.generation';

/** apps/v1 keeps what was once spec.templateGeneration in an annotation. (pkg/registry/apps/daemonset/strategy.go) */
export const daemonSets: RESTStrategy = {
  prepareForCreate(daemonSet) {
    const asked = Number(daemonSet.metadata.annotations?.[annotation] ?? 0);
    setGeneration(daemonSet, Math.max(asked, 1));
  },
  prepareForUpdate(daemonSet, old, { part }) {
    if (part !== 'main') return;
    const before = Number(old.metadata.annotations?.[annotation] ?? 0);
    setGeneration(daemonSet, equalJson(daemonSet.spec?.template, old.spec?.template) ? before : before + 1);
  },
};

function setGeneration({ metadata }: KubeObject, generation: number): void {
  metadata.annotations = { ...metadata.annotations, [annotation]: String(generation) };
}
