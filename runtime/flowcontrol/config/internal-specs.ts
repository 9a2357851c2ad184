import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type {
  FlowSchemaSpec,
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  PriorityLevelConfigurationSpec,
  ResourcePolicyRule,
  Subject,
} from '../objects.ts';

/**
 * Specs in the form of upstream's errors, which print its internal types: fields have their Go names, and none is
 * omitted. (kubernetes pkg/apis/flowcontrol/types.go)
 */

export const internalFlowSchemaSpec = (spec: Unvalidated<FlowSchemaSpec> = {}): unknown => ({
  PriorityLevelConfiguration: internalName(spec.priorityLevelConfiguration ?? {}),
  MatchingPrecedence: spec.matchingPrecedence ?? 0,
  DistinguisherMethod: orNull(spec.distinguisherMethod, ({ type = '' }) => ({ Type: type })),
  Rules: listOrNull(spec.rules, internalRule),
});

export const internalPriorityLevelSpec = (spec: Unvalidated<PriorityLevelConfigurationSpec> = {}): unknown => ({
  Type: spec.type ?? '',
  Limited: orNull(spec.limited, internalLimited),
  Exempt: orNull(spec.exempt, ({ nominalConcurrencyShares = null, lendablePercent = null }) => ({
    NominalConcurrencyShares: nominalConcurrencyShares,
    LendablePercent: lendablePercent,
  })),
});

const internalName = ({ name = '' }: { readonly name?: string }) => ({ Name: name });

const internalRule = ({ subjects, resourceRules, nonResourceRules }: Unvalidated<PolicyRulesWithSubjects>) => ({
  Subjects: listOrNull(subjects, internalSubject),
  ResourceRules: listOrNull(resourceRules, internalResourceRule),
  NonResourceRules: listOrNull(nonResourceRules, internalNonResourceRule),
});

const internalSubject = ({ kind = '', user, group, serviceAccount }: Unvalidated<Subject>) => ({
  Kind: kind,
  User: orNull(user, internalName),
  Group: orNull(group, internalName),
  ServiceAccount: orNull(serviceAccount, ({ namespace = '', name = '' }) => ({ Namespace: namespace, Name: name })),
});

const internalResourceRule = (rule: Unvalidated<ResourcePolicyRule>) => ({
  Verbs: rule.verbs ?? null,
  APIGroups: rule.apiGroups ?? null,
  Resources: rule.resources ?? null,
  ClusterScope: rule.clusterScope ?? false,
  Namespaces: rule.namespaces ?? null,
});

const internalNonResourceRule = ({ verbs, nonResourceURLs }: Unvalidated<NonResourcePolicyRule>) => ({
  Verbs: verbs ?? null,
  NonResourceURLs: nonResourceURLs ?? null,
});

const internalLimited = (limited: Unvalidated<NonNullable<PriorityLevelConfigurationSpec['limited']>>) => ({
  NominalConcurrencyShares: limited.nominalConcurrencyShares ?? 0,
  LimitResponse: {
    Type: limited.limitResponse?.type ?? '',
    Queuing: orNull(limited.limitResponse?.queuing, ({ queues = 0, handSize = 0, queueLengthLimit = 0 }) => ({
      Queues: queues,
      HandSize: handSize,
      QueueLengthLimit: queueLengthLimit,
    })),
  },
  LendablePercent: limited.lendablePercent ?? null,
  BorrowingLimitPercent: limited.borrowingLimitPercent ?? null,
});

const orNull = <T>(value: T | null | undefined, convert: (value: T) => unknown): unknown => (value ? convert(value) : null);
const listOrNull = <T>(list: readonly T[] | null | undefined, convert: (item: T) => unknown): unknown =>
  Array.isArray(list) ? list.map(convert) : null;
