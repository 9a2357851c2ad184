import type { KubeObject, Part } from '../../machinery/object.ts';

/** The first of the conditions that end a request. */
export function podCertificateState({ status }: KubeObject): string {
  const ended = status?.conditions?.find(
    ({ type, status: value }: Part) => finalConditions.has(type) && value === 'True',
  );
  return ended?.type ?? 'Pending';
}
const finalConditions: ReadonlySet<string> = new Set(['Issued', 'Denied', 'Failed']);
