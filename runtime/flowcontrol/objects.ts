/** The objects that configure flow control, at the version that flow control reads. */
export type {
  FlowSchema,
  FlowSchemaSpec,
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  PriorityLevelConfiguration,
  PriorityLevelConfigurationSpec,
  ResourcePolicyRule,
  Subject,
} from '../../generated/v1.35/flowcontrol.apiserver.k8s.io/v1/types.ts';

export const flowControlGroup = 'flowcontrol.apiserver.k8s.io';
/** The FlowSchema and the priority level of requests that never wait. */
export const exemptName = 'exempt';
/** The FlowSchema and the priority level of requests that match nothing else. */
export const catchAllName = 'catch-all';
/** "true": the server maintains the spec. "false": users maintain it. (flowcontrol.AutoUpdateAnnotationKey) */
export const autoUpdateAnnotation = 'apf.kubernetes.io/autoupdate-spec';
