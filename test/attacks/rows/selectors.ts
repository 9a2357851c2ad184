import { create, objectText } from '../builders/json.ts';
import { configMaps, deployments, dry, type Target } from '../builders/targets.ts';
import { count, long, many } from '../builders/text.ts';
import type { Attack, Attacks, Request } from '../harness/attack.ts';

const objects: readonly Request[] = Array.from({ length: 2_000 }, (_, at) => ({
  method: 'POST',
  path: configMaps.path,
  headers: { 'content-type': 'application/json' },
  body: objectText({ ...configMaps, object: `selected-${at}` }, '', `"labels":{"app":"a${at % 7}","n":"${at}"}`),
}));

type Verb = 'list' | 'watch' | 'deletecollection';

function selection(
  verb: Verb,
  name: string,
  parameter: 'labelSelector' | 'fieldSelector',
  selector: () => string,
  codes: readonly number[],
): Attack {
  return {
    name: `${verb}: ${name}`,
    send: () => {
      const query = `${parameter}=${selector()}`;
      if (verb === 'deletecollection') return { method: 'DELETE', path: dry(configMaps.path, `&${query}`) };
      return { method: 'GET', path: `${configMaps.path}?${verb === 'watch' ? 'watch=1&' : ''}${query}` };
    },
    codes,
    streams: verb === 'watch',
  };
}

const requirements: readonly (readonly [name: string, one: (at: number) => string])[] = [
  ['that a label differs', (at) => `k${at}!=x`],
  ['that a label is absent', (at) => `!k${at}`],
  ['that one label differs', (at) => `n!=${at}`],
  ['that a label is equal', (at) => `k${at}=x`],
  ['that a label exists', (at) => `k${at}`],
  ['that a label is not one of two', (at) => `k${at} notin (x,y)`.replaceAll(' ', '%20')],
  ['that a number is greater', (at) => `n>${at}`],
];

const verbs: readonly Verb[] = ['list', 'watch', 'deletecollection'];
const many90 = (one: (at: number) => string, size: number): number => Math.min(size, Math.floor(950_000 / one(size).length));

const labels: Attack[] = [
  ...requirements.flatMap(([name, one], at) =>
    // only the first has every size and all targets
    (at === 0 ? verbs : (['list'] as const)).flatMap((verb) =>
      [1_000, 10_000, 90_000]
        .filter((size) => at === 0 || size !== 1_000)
        .map((size) => {
          const times = many90(one, size);
          return selection(verb, `${count(times)} requirements ${name}`, 'labelSelector', () => many(times, one), [200]);
        }),
    ),
  ),
  selection('list', 'a set of 100,000', 'labelSelector', () => `n%20in%20(${many(100_000, String)})`, [200]),
  selection('list', 'an excluded set of 100,000', 'labelSelector', () => `n%20notin%20(${many(100_000, String)})`, [200]),
  selection('list', 'one label equal to 90,000 values', 'labelSelector', () => many(90_000, (at) => `n=${at}`), [200]),
  selection('list', '900,000 commas', 'labelSelector', () => long(900_000, ','), [400]),
  selection('list', '900,000 parentheses', 'labelSelector', () => `a%20in%20${long(900_000, '(')}`, [400]),
  selection('list', '300,000 spaces', 'labelSelector', () => `a${long(900_000, '%20')}`, [200]),
  selection('list', 'a key of 900,000 letters', 'labelSelector', () => long(900_000), [400]),
  selection('list', 'a value of 900,000 letters', 'labelSelector', () => `a=${long(900_000)}`, [400]),
  selection('list', '100,000 invalid keys', 'labelSelector', () => many(100_000, () => '-a-'), [400]),
  selection('list', 'a label __proto__', 'labelSelector', () => '__proto__=x', [400]),
  selection('list', 'a label constructor', 'labelSelector', () => 'constructor', [200]),
  selection('list', 'that the label hasOwnProperty is missing', 'labelSelector', () => '!hasOwnProperty', [200]),
];

const fields: Attack[] = verbs.flatMap((verb) => [
  selection(verb, '20,000 excluded names', 'fieldSelector', () => many(20_000, (at) => `metadata.name!=n${at}`), [200]),
  selection(verb, '20,000 fields that are not selectable', 'fieldSelector', () => many(20_000, (at) => `spec.f${at}!=x`), [400]),
  selection(verb, '400,000 backslashes', 'fieldSelector', () => `metadata.name=${long(400_000, '\\\\')}`, [200]),
  selection(verb, 'a name of 900,000 letters', 'fieldSelector', () => `metadata.name=${long(900_000)}`, [200]),
  selection(verb, 'a field __proto__', 'fieldSelector', () => '__proto__=x', [400]),
]);

/** Selectors inside objects. */
const kind = (name: string, path: string, members: object): Target => ({
  name,
  path,
  members: { ...members },
  object: 'attacked',
});
const expressions = (times: number): object[] =>
  Array.from({ length: times }, (_, at) => ({ key: `k${at}`, operator: 'NotIn', values: ['x'] }));
const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const matchLabels = { app: 'a' };

const within: Attack[] = [1_000, 20_000].flatMap((times) =>
  (
    [
      [
        'deployments',
        'matchExpressions',
        () => ({
          ...deployments,
          members: {
            ...deployments.members,
            spec: { selector: { matchLabels, matchExpressions: expressions(times) }, template },
          },
        }),
        [201],
      ],
      [
        'networkpolicies',
        'matchExpressions',
        () =>
          kind('networkpolicies', '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies', {
            apiVersion: 'networking.k8s.io/v1',
            kind: 'NetworkPolicy',
            spec: { podSelector: { matchExpressions: expressions(times) } },
          }),
        [201],
      ],
      [
        'networkpolicies',
        'peers',
        () =>
          kind('networkpolicies', '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies', {
            apiVersion: 'networking.k8s.io/v1',
            kind: 'NetworkPolicy',
            spec: { podSelector: {}, ingress: [{ from: Array.from({ length: times }, () => ({ podSelector: {} })) }] },
          }),
        [201],
      ],
      [
        'services',
        'labels of a selector',
        () =>
          kind('services', '/api/v1/namespaces/default/services', {
            apiVersion: 'v1',
            kind: 'Service',
            spec: {
              selector: Object.fromEntries(Array.from({ length: times }, (_, at) => [`k${at}`, 'v'])),
              ports: [{ port: 80 }],
            },
          }),
        [201],
      ],
      [
        'poddisruptionbudgets',
        'matchExpressions',
        () =>
          kind('poddisruptionbudgets', '/apis/policy/v1/namespaces/default/poddisruptionbudgets', {
            apiVersion: 'policy/v1',
            kind: 'PodDisruptionBudget',
            spec: { selector: { matchExpressions: expressions(times) } },
          }),
        [201],
      ],
      [
        'clusterroles',
        'aggregation rules',
        () =>
          kind('clusterroles', '/apis/rbac.authorization.k8s.io/v1/clusterroles', {
            apiVersion: 'rbac.authorization.k8s.io/v1',
            kind: 'ClusterRole',
            rules: [],
            aggregationRule: { clusterRoleSelectors: expressions(times).map((one) => ({ matchExpressions: [one] })) },
          }),
        [201],
      ],
    ] as const
  ).map(
    ([resource, what, target, codes]): Attack => ({
      name: `${resource}: ${count(times)} ${what}`,
      send: () => {
        const made = target();
        return create(made, objectText(made));
      },
      codes,
    }),
  ),
);

export const selectors: Attacks = {
  title: 'selectors',
  objects,
  rows: [...labels, ...fields, ...within],
};
