import type { KubeObject, Part } from '../../machinery/object.ts';
import { ageOf } from './age.ts';

export const webhookCount = ({ webhooks }: KubeObject): number => webhooks?.length ?? 0;
export const policyValidations = ({ spec }: KubeObject): number => spec?.validations?.length ?? 0;
export const policyMutations = ({ spec }: KubeObject): number => spec?.mutations?.length ?? 0;
export const policyParamKind = ({ spec }: KubeObject): string =>
  spec?.paramKind ? `${spec.paramKind.apiVersion ?? ''}/${spec.paramKind.kind ?? ''}` : '<unset>';

/** `*` stands for the namespace where the parameters may be cluster-scoped. */
export function bindingParam({ spec }: KubeObject): string {
  const { name, namespace, selector } = spec?.paramRef ?? {};
  if (name) return `${namespace || '*'}/${name}`;
  return selector ? goSelector(selector) : '<unset>';
}

/** A label selector as Go prints the struct. */
function goSelector({ matchLabels = {}, matchExpressions = [] }: Part): string {
  const labels = Object.keys(matchLabels).sort();
  const expressions: readonly string[] = matchExpressions.map(
    ({ key, operator, values = [] }: Part) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],},`,
  );
  return [
    '&LabelSelector{MatchLabels:map[string]string{',
    ...labels.map((key) => `${key}: ${matchLabels[key]},`),
    '},MatchExpressions:[]LabelSelectorRequirement{',
    ...expressions,
    '},}',
  ].join('');
}

export const flowSchemaDistinguisher = ({ spec }: KubeObject): string => spec?.distinguisherMethod?.type ?? '<none>';
export const flowSchemaMissingLevel = ({ status }: KubeObject): string =>
  status?.conditions?.find(({ type }: Part) => type === 'Dangling')?.status ?? '?';

const queuing = ({ spec }: KubeObject): Part => spec?.limited?.limitResponse?.queuing;

export const priorityLevelShares = ({ spec }: KubeObject): number | string =>
  spec?.limited ? (spec.limited.nominalConcurrencyShares ?? 0) : '<none>';
export const priorityLevelQueues = (level: KubeObject): number | string => queuing(level)?.queues ?? '<none>';
export const priorityLevelHandSize = (level: KubeObject): number | string => queuing(level)?.handSize ?? '<none>';
export const priorityLevelQueueLength = (level: KubeObject): number | string =>
  queuing(level)?.queueLengthLimit ?? '<none>';

/** As `apiserver-1=apps/v1,apiserver-2=apps/v1`, three at most. */
export function storageVersionList({ status }: KubeObject): string {
  const all: readonly string[] = (status?.storageVersions ?? []).map(
    ({ apiServerID, encodingVersion }: Part) => `${apiServerID ?? ''}=${encodingVersion ?? ''}`,
  );
  if (all.length === 0) return '<unset>';
  return all.length > 3 ? `${all.slice(0, 3).join(',')} + ${all.length - 3} more...` : all.join(',');
}

export const migrationResource = ({ spec }: KubeObject): string =>
  `${spec?.resource?.resource ?? ''}.${spec?.resource?.group ?? ''}`;

export const apiServiceBackend = ({ spec }: KubeObject): string =>
  spec?.service ? `${spec.service.namespace}/${spec.service.name}` : 'Local';

/** As `False (MissingEndpoints)`. (kube-aggregator pkg/registry/apiservice/etcd) */
export function apiServiceAvailable({ status }: KubeObject): string {
  const available = status?.conditions?.find(({ type }: Part) => type === 'Available');
  if (!available) return 'Unknown';
  return available.status === 'True' ? 'True' : `${available.status} (${available.reason ?? ''})`;
}

/** As `allocated,reserved`. */
export function resourceClaimState({ metadata, status }: KubeObject): string {
  const states: string[] = [];
  if (metadata.deletionTimestamp) states.push('deleted');
  if (status?.allocation) {
    states.push('allocated');
    if (status.reservedFor?.length > 0) states.push('reserved');
  } else if (!metadata.deletionTimestamp) states.push('pending');
  return states.join(',');
}

export const deviceTaintAdded = ({ spec }: KubeObject, now: number): string =>
  spec?.taint?.timeAdded ? ageOf(spec.taint.timeAdded, now) : '';
