import type { ResourceDefinition } from '../../machinery/resource.ts';
import type { StoredObject } from '../../storage/object-store/contract.ts';

/** The order of a table's rows, where it is not the list's: flow schemas in the order they are tried. (printFlowSchemaList) */
export function rowOrder({
  group,
  kind,
}: ResourceDefinition): ((items: readonly StoredObject[]) => readonly StoredObject[]) | undefined {
  if (group !== 'flowcontrol.apiserver.k8s.io' || kind !== 'FlowSchema') return undefined;
  return (items) =>
    items
      .map((stored) => ({ stored, precedence: stored.decode().spec?.matchingPrecedence ?? 0 }))
      .sort((a, b) => a.precedence - b.precedence || (a.stored.name < b.stored.name ? -1 : 1))
      .map(({ stored }) => stored);
}
