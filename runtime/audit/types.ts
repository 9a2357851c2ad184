import type { AuditLevel } from '../machinery/audit-context.ts';

/** The stages at which events are generated. (apis/audit Stage) */
export const stages = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'] as const;
export type Stage = (typeof stages)[number];

/** (audit.k8s.io/v1 Policy) */
export interface Policy {
  readonly rules?: readonly PolicyRule[];
  readonly omitStages?: readonly Stage[];
  readonly omitManagedFields?: boolean;
}

/** A rule with the level of the requests that match all of its fields. An empty field matches every request. */
export interface PolicyRule {
  readonly level: AuditLevel;
  readonly users?: readonly string[];
  readonly userGroups?: readonly string[];
  readonly verbs?: readonly string[];
  readonly resources?: readonly GroupResources[];
  readonly namespaces?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly omitStages?: readonly Stage[];
  /** Default: the policy's setting. */
  readonly omitManagedFields?: boolean;
}

/** Resources of one API group. */
export interface GroupResources {
  readonly group?: string;
  // `pods`, `pods/log`, `pods/*`, `*/scale` or `*`
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** The policy for one request. (audit.RequestAuditConfig) */
export interface RequestAuditConfig {
  readonly level: AuditLevel;
  readonly omitStages: ReadonlySet<Stage>;
  readonly omitManagedFields: boolean;
}
