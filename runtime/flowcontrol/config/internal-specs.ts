import type { Part } from '../../machinery/object.ts';

/**
 * Specs as upstream's errors show them, in the form of its internal types: fields go by their names in Go, and none is
 * left out. (kubernetes pkg/apis/flowcontrol/types.go)
 */

type Form = (value: Part) => unknown;

export const internalFlowSchemaSpec: Form = (spec = {}) => ({
  PriorityLevelConfiguration: named(spec.priorityLevelConfiguration ?? {}),
  MatchingPrecedence: spec.matchingPrecedence ?? 0,
  DistinguisherMethod: orNull(spec.distinguisherMethod, ({ type = '' }) => ({ Type: type })),
  Rules: listOf(spec.rules, internalRule),
});

export const internalPriorityLevelSpec: Form = ({ type = '', limited, exempt } = {}) => ({
  Type: type,
  Limited: orNull(limited, internalLimited),
  Exempt: orNull(exempt, ({ nominalConcurrencyShares = null, lendablePercent = null }) => ({
    NominalConcurrencyShares: nominalConcurrencyShares,
    LendablePercent: lendablePercent,
  })),
});

const named: Form = ({ name = '' }) => ({ Name: name });

const internalRule: Form = (rule) => ({
  Subjects: listOf(rule.subjects, ({ kind = '', user, group, serviceAccount }) => ({
    Kind: kind,
    User: orNull(user, named),
    Group: orNull(group, named),
    ServiceAccount: orNull(serviceAccount, ({ namespace = '', name = '' }) => ({ Namespace: namespace, Name: name })),
  })),
  ResourceRules: listOf(rule.resourceRules, (one) => ({
    Verbs: one.verbs ?? null,
    APIGroups: one.apiGroups ?? null,
    Resources: one.resources ?? null,
    ClusterScope: one.clusterScope ?? false,
    Namespaces: one.namespaces ?? null,
  })),
  NonResourceRules: listOf(rule.nonResourceRules, ({ verbs = null, nonResourceURLs = null }) => ({
    Verbs: verbs,
    NonResourceURLs: nonResourceURLs,
  })),
});

const internalLimited: Form = (limited) => ({
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

const orNull = (value: Part, form: Form): unknown => (value ? form(value) : null);
const listOf = (list: Part, form: Form): unknown => (Array.isArray(list) ? list.map(form) : null);
