import type { TableRowCondition } from '../../codec/table.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';

const completed = (reason: string, message: string): readonly TableRowCondition[] => [
  { type: 'Completed', status: 'True', reason, message },
];
const succeeded = completed('Succeeded', 'The pod has completed successfully.');
const failed = completed('Failed', 'The pod failed.');

/** What rows say beside their cells, where a kind says anything: pods that are done. (pkg/printers, printPod) */
export function rowConditions({
  group,
  kind,
}: ResourceDefinition): ((object: KubeObject) => readonly TableRowCondition[] | undefined) | undefined {
  if (group !== '' || kind !== 'Pod') return undefined;
  return ({ status }) => (status?.phase === 'Succeeded' ? succeeded : status?.phase === 'Failed' ? failed : undefined);
}
