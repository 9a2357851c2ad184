import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { Field } from '../../../machinery/validation/field.ts';

/** The lists of containers, in the order in which upstream visits them. */
export const containerLists = ['initContainers', 'containers', 'ephemeralContainers'] as const;

/** Calls `visit` for all containers. (pkg/apis/core/pods/helpers.go, VisitContainersWithPath) */
export function visitContainersWithPath(
  spec: Unvalidated<core.PodSpec>,
  field: Field,
  visit: (container: Unvalidated<core.Container>, field: Field) => void,
): void {
  for (const list of containerLists) {
    const containers: readonly Unvalidated<core.Container>[] = spec[list] ?? [];
    for (const [index, container] of containers.entries()) visit(container, field.child(list).index(index));
  }
}
