import type { KubeObject, Part } from '../../machinery/object.ts';
import { humanDuration } from './age.ts';

export const bindingRole = ({ roleRef }: KubeObject): string => `${roleRef?.kind ?? ''}/${roleRef?.name ?? ''}`;

const subjects = ({ subjects }: KubeObject, wanted: string): readonly Part[] =>
  (subjects ?? []).filter(({ kind }: Part) => kind === wanted);
const names = (found: readonly Part[]): string => found.map(({ name }) => name ?? '').join(', ');

export const bindingUsers = (object: KubeObject): string => names(subjects(object, 'User'));
export const bindingGroups = (object: KubeObject): string => names(subjects(object, 'Group'));
export const bindingServiceAccounts = (object: KubeObject): string =>
  subjects(object, 'ServiceAccount')
    .map(({ namespace, name }) => (namespace ? `${namespace}/${name ?? ''}` : (name ?? '')))
    .join(', ');

export const requestDuration = ({ spec }: KubeObject): string =>
  spec?.expirationSeconds === undefined ? '<none>' : humanDuration(spec.expirationSeconds * 1000);

/** As `Approved,Issued`. */
export function requestCondition({ status }: KubeObject): string {
  const has = (wanted: string): boolean => status?.conditions?.some(({ type }: Part) => type === wanted) ?? false;
  const verdict = has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending';
  return `${verdict}${has('Failed') ? ',Failed' : ''}${status?.certificate ? ',Issued' : ''}`;
}

/** The first of the conditions that end a request. */
export function podCertificateState({ status }: KubeObject): string {
  const ended = status?.conditions?.find(({ type, status: value }: Part) => endings.has(type) && value === 'True');
  return ended?.type ?? 'Pending';
}
const endings: ReadonlySet<string> = new Set(['Issued', 'Denied', 'Failed']);
