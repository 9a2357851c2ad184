import { BoundedMap } from '../../machinery/collections/bounded-map.ts';
import type { Evaluator } from './evaluator.ts';
import { objectCountEvaluator } from './evaluators/object-count.ts';
import { persistentVolumeClaimEvaluator } from './evaluators/persistent-volume-claims.ts';
import { podEvaluator } from './evaluators/pods.ts';
import { resourceClaimEvaluator } from './evaluators/resource-claims.ts';
import { serviceEvaluator } from './evaluators/services.ts';

/** Objects whose counts have a plain name from before `count/...` existed. */
const legacyCounts = ['configmaps', 'resourcequotas', 'replicationcontrollers', 'secrets'];

const evaluators: readonly Evaluator[] = [
  podEvaluator,
  serviceEvaluator,
  persistentVolumeClaimEvaluator,
  resourceClaimEvaluator,
  ...legacyCounts.map((resource) => objectCountEvaluator('', resource, resource)),
];

/** `group/plural` */
export const evaluatorKey = ({ group, resource }: Pick<Evaluator, 'group' | 'resource'>): string => `${group}/${resource}`;

const known = new Map(evaluators.map((evaluator) => [evaluatorKey(evaluator), evaluator]));

/** Resources whose objects are not stored, and events. (pkg/quota/v1/install DefaultIgnoredResources) */
const ignoredResources: ReadonlySet<string> = new Set([
  '/bindings',
  '/componentstatuses',
  '/events',
  'authentication.k8s.io/selfsubjectreviews',
  'authentication.k8s.io/tokenreviews',
  'authorization.k8s.io/localsubjectaccessreviews',
  'authorization.k8s.io/selfsubjectaccessreviews',
  'authorization.k8s.io/selfsubjectrulesreviews',
  'authorization.k8s.io/subjectaccessreviews',
  'events.k8s.io/events',
]);

/** Evaluators of resources that only count as objects. */
const counting = new BoundedMap<string, Evaluator>(4096);

/** Returns the evaluator of a resource; undefined if quota ignores it. */
export function evaluatorOf(group: string, resource: string): Evaluator | undefined {
  const key = `${group}/${resource}`;
  if (ignoredResources.has(key)) return undefined;
  const evaluator = known.get(key) ?? counting.get(key);
  if (evaluator !== undefined) return evaluator;
  const added = objectCountEvaluator(group, resource);
  counting.set(key, added);
  return added;
}

const countPattern = /^count\/([^.]+)(?:\.(.+))?$/;

/** Returns the evaluators whose objects count for the resources of a quota. Some of them may not be served. */
export function evaluatorsOf(names: Iterable<string>): readonly Evaluator[] {
  const found = new Map<string, Evaluator>();
  for (const name of names) {
    const [, resource, group = ''] = countPattern.exec(name) ?? [];
    const counted = resource === undefined ? undefined : evaluatorOf(group, resource);
    if (counted !== undefined) found.set(evaluatorKey(counted), counted);
    else for (const one of evaluators) if (one.matches(name)) found.set(evaluatorKey(one), one);
  }
  return [...found.values()];
}
