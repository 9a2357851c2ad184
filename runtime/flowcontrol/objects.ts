import type { KubeObject } from '../machinery/object.ts';

/**
 * FlowSchema and PriorityLevelConfiguration of flowcontrol.apiserver.k8s.io/v1 as they are stored: empty lists may be
 * null, and required fields may be missing in objects that validation has not seen yet.
 */

export interface SubjectSpec {
  readonly kind: string;
  readonly user?: { readonly name: string };
  readonly group?: { readonly name: string };
  readonly serviceAccount?: { readonly namespace: string; readonly name: string };
}

export interface ResourceRuleSpec {
  readonly verbs: readonly string[] | null;
  readonly apiGroups: readonly string[] | null;
  readonly resources: readonly string[] | null;
  readonly clusterScope?: boolean;
  readonly namespaces?: readonly string[] | null;
}

export interface NonResourceRuleSpec {
  readonly verbs: readonly string[] | null;
  readonly nonResourceURLs: readonly string[] | null;
}

export interface RuleSpec {
  readonly subjects: readonly SubjectSpec[] | null;
  readonly resourceRules?: readonly ResourceRuleSpec[] | null;
  readonly nonResourceRules?: readonly NonResourceRuleSpec[] | null;
}

export interface FlowSchemaSpec {
  readonly priorityLevelConfiguration: { readonly name: string };
  readonly matchingPrecedence: number;
  readonly distinguisherMethod?: { readonly type: string };
  readonly rules?: readonly RuleSpec[] | null;
}

export interface QueuingSpec {
  readonly queues?: number;
  readonly handSize?: number;
  readonly queueLengthLimit?: number;
}

export interface PriorityLevelSpec {
  readonly type: string;
  readonly limited?: {
    readonly nominalConcurrencyShares?: number;
    readonly lendablePercent?: number;
    readonly borrowingLimitPercent?: number;
    readonly limitResponse?: { readonly type: string; readonly queuing?: QueuingSpec };
  };
  readonly exempt?: { readonly nominalConcurrencyShares?: number; readonly lendablePercent?: number };
}

export interface FlowSchema extends KubeObject {
  readonly spec: FlowSchemaSpec;
  readonly status?: {
    readonly conditions?:
      | readonly {
          readonly type?: string;
          readonly status?: string;
          readonly reason?: string;
          readonly message?: string;
        }[]
      | null;
  };
}

export interface PriorityLevelConfiguration extends KubeObject {
  readonly spec: PriorityLevelSpec;
}

export const flowControlGroup = 'flowcontrol.apiserver.k8s.io';
/** The FlowSchema and the priority level of requests that never wait. */
export const exemptName = 'exempt';
/** The FlowSchema and the priority level of requests that match nothing else. */
export const catchAllName = 'catch-all';
/** "true": the server maintains the spec; "false": users do. (flowcontrol.AutoUpdateAnnotationKey) */
export const autoUpdateAnnotation = 'apf.kubernetes.io/autoupdate-spec';
