import { create, creation, objectText } from '../builders/json.ts';
import { patch } from '../builders/patches.ts';
import { envelope, field, named } from '../builders/protobuf.ts';
import {
  configMaps,
  crds,
  define,
  defineCustom,
  definitionMembers,
  gadgets,
  pods,
  post,
  servesCustom,
  type Target,
  widgets,
} from '../builders/targets.ts';
import { count, long, many, mebibyte, nested as nestedText } from '../builders/text.ts';
import { yamlText } from '../builders/yaml.ts';
import type { Attack, Attacks, Request } from '../harness/attack.ts';

/** Small requests with large results, or attempts at them. */
const group = 'attacks.example.com';
const tooLarge = 'etcdserver: request is too large';
const notSent = 'trying to send message larger than max';

/** Custom resources of a definition below. */
const custom = (kind: string): Target => ({
  name: `${kind.toLowerCase()}s`,
  path: `/apis/${group}/v1/namespaces/default/${kind.toLowerCase()}s`,
  members: { apiVersion: `${group}/v1`, kind },
  object: 'attacked',
});
const copy = (from: string, path: string): string => `{"op":"copy","from":"${from}","path":"${path}"}`;
const add = (path: string, value: string): string => `{"op":"add","path":"${path}","value":${value}}`;
/** Copies a list into itself repeatedly, which doubles it each time. */
const doubling = (path: string, times: number, item = '{}'): string =>
  `[${add(path, `[${many(10, () => item)}]`)},${many(times, () => copy(path, `${path}/-`))}]`;

/** Stores the object, because a dry run is not subject to the storage's limits. */
const stored = (row: Attack): Attack => ({
  ...row,
  name: `${row.name}, stored`,
  send: () => {
    const sent = row.send() as Request;
    return { ...sent, path: sent.path.replace('?dryRun=All&', '?') };
  },
});

const copies: Attack[] = [
  patch('json', configMaps, 'an unknown list doubled 16 times', () => doubling('/zz', 16), [200]),
  patch('json', configMaps, 'an unknown list doubled 17 times', () => doubling('/zz', 17), [422]),
  patch('json', gadgets, 'a list doubled 16 times', () => doubling('/spec/zz', 16), [200]),
  stored(patch('json', gadgets, 'a list doubled 16 times', () => doubling('/spec/zz', 16), [500], notSent)),
  patch('json', gadgets, 'a list of nulls doubled 16 times', () => doubling('/spec/zz', 16, 'null'), [422]),
  patch('json', widgets, 'a list of texts doubled 16 times', () => doubling('/spec/set', 16, '""'), [422]),
];

/** 50 defaults of 200 characters each. */
const defaults = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`d${at}`, { type: 'string', default: long(200) }]));
const withDefaults = { type: 'object', properties: defaults };
const [defaulted, nested, mapped, texts] = ['Defaulted', 'Nested', 'Mapped', 'Texts'].map(custom);
/** Returns a target whose object does not exist. */
const fresh = (target: Target): Target => ({ ...target, object: 'fresh' });
const protobuf = 'application/vnd.kubernetes.protobuf';
const bare: Target = { ...pods, members: { apiVersion: 'v1', kind: 'Pod' } };
const list = (times: number, one: string): string => `[${many(times, () => one)}]`;

const filled: Attack[] = [
  creation(
    '15,000 items with 50 defaults of 200 characters',
    fresh(defaulted),
    () => `"spec":{"list":${list(15_000, '{}')}}`,
    [500],
    tooLarge,
  ),
  creation('5 items with 50 defaults', fresh(defaulted), () => `"spec":{"list":${list(5, '{}')}}`, [201]),
  creation('120 items with 50 defaults', fresh(defaulted), () => `"spec":{"list":${list(120, '{}')}}`, [201]),
  creation('15,000 items, sent with other errors', fresh(defaulted), () => `"spec":{"x":1,"list":${list(15_000, '{}')}}`, [500]),
  creation('10,000 items whose default has 50', nested, () => `"spec":{"list":${list(10_000, '{}')}}`, [500], tooLarge),
  creation('5,000 members with 50 defaults', mapped, () => `"spec":{${many(5_000, (at) => `"k${at}":{}`)}}`, [500], tooLarge),
  creation('10,000 nulls in place of long defaults', texts, () => `"spec":${list(10_000, 'null')}`, [500], tooLarge),
  patch('merge', defaulted, '15,000 items with 50 defaults', () => `{"spec":{"list":${list(15_000, '{}')}}}`, [500]),
  patch(
    'apply',
    defaulted,
    '15,000 items with 50 defaults',
    () => {
      const spec = `"spec":{"list":${list(15_000, '{}')}}`;
      return objectText(defaulted, spec);
    },
    [500],
  ),
  patch(
    'json',
    defaulted,
    '12 copies of an item with defaults',
    () => {
      const doublings = many(12, (at) => copy(`/spec/list/${at}`, '/spec/list/-'));
      return `[${add('/spec/list', '[{}]')},${doublings}]`;
    },
    [200],
  ),
];

/** Few bytes of many objects, in each format that has no limit of its own: each container is filled, checked and owned. */
const emptyContainers = (times: number): string => `"spec":{"containers":${list(times, '{}')}}`;
const small: Attack[] = [
  ...[2_000, 20_000].map((times) => creation(`pods: ${count(times)} empty containers`, bare, () => emptyContainers(times), [422])),
  {
    name: 'pods, YAML: 20,000 empty containers',
    send: () => create(bare, yamlText(bare, `spec: {containers: ${list(20_000, '{}')}}`), '', 'application/yaml'),
    codes: [422],
  },
  {
    name: 'pods, protobuf: 30,000 empty containers',
    send: () => {
      const containers = Buffer.alloc(60_000, field(2, ''));
      return create(bare, envelope(Buffer.concat([named('a'), field(2, containers)]), 'v1', 'Pod'), '', protobuf);
    },
    codes: [422],
  },
  patch('merge', pods, '20,000 empty containers', () => `{${emptyContainers(20_000)}}`, [422]),
  patch('strategic', pods, '20,000 empty containers', () => `{${emptyContainers(20_000)}}`, [500]),
  patch('apply', pods, '20,000 empty containers', () => objectText(bare, emptyContainers(20_000)), [500]),
  patch('json', pods, '900 copies of containers', () => `[${many(900, () => copy('/spec/containers/0', '/spec/containers/-'))}]`, [422]),
  creation('pods: 5,000 containers with names', bare, () => `"spec":{"containers":${list(5_000, '{"name":""}')}}`, [422]),
];

/** A policy's change of a Gadget, by the Gadget's name. */
const byPolicy = (name: string, codes: readonly number[]): Attack => ({
  name: `a policy, ${name}`,
  send: () => create({ ...gadgets, object: name }, objectText({ ...gadgets, object: name }, `"spec":{"a":"${long(2_000)}"}`)),
  codes,
});

const policies = '/apis/admissionregistration.k8s.io/v1beta1/mutatingadmissionpolicies';
const hundred = `[${many(100, String)}]`;
function policy(name: string, mutation: object): Request[] {
  const apiVersion = 'admissionregistration.k8s.io/v1beta1';
  const resourceRules = [{ apiGroups: [group], apiVersions: ['v1'], resources: ['gadgets'], operations: ['CREATE'] }];
  const spec = {
    matchConstraints: { resourceRules },
    matchConditions: [{ name: 'name', expression: `object.metadata.name == '${name}'` }],
    failurePolicy: 'Fail',
    reinvocationPolicy: 'Never',
    mutations: [mutation],
  };
  return [
    post(policies, { apiVersion, kind: 'MutatingAdmissionPolicy', metadata: { name }, spec }),
    post(policies.replace('policies', 'policybindings'), {
      apiVersion,
      kind: 'MutatingAdmissionPolicyBinding',
      metadata: { name },
      spec: { policyName: name },
    }),
  ];
}

const setPolicies: readonly Request[] = [
  ...policy('copies', {
    patchType: 'JSONPatch',
    jsonPatch: {
      expression: `[JSONPatch{op: 'add', path: '/spec/list', value: [object.spec.a]}] + ${hundred}.map(i, JSONPatch{op: 'copy', from: '/spec/list', path: '/spec/list/-'})`,
    },
  }),
  ...policy('values', {
    patchType: 'JSONPatch',
    jsonPatch: {
      expression: `[JSONPatch{op: 'add', path: '/spec/list', value: ${hundred}.map(i, ${hundred}.map(j, object.spec.a))}]`,
    },
  }),
];

/** Definitions whose tables show one text in many columns. */
const wide = custom('Wide');
const columns = Array.from({ length: 1_000 }, (_, at) => ({ name: `c${at}`, type: 'string', jsonPath: '.spec.text' }));
const deep = custom('Deep');
/** Unions that find each value twice at each of 40 levels, and descents from the results of other descents. */
const paths = [`.spec${"['a','a']".repeat(40)}`, `.spec${'..[*]'.repeat(20)}`, '.spec..a..a..a..a'];
const deepColumns = Array.from({ length: 300 }, (_, at) => ({
  name: `c${at}`,
  type: 'string',
  jsonPath: paths[at % 3],
}));
function printed(kind: string, additionalPrinterColumns: object[]): Request {
  const openAPIV3Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const metadata = { name: `${kind.toLowerCase()}s.${group}` };
  const version = { schema: { openAPIV3Schema }, additionalPrinterColumns };
  return post(crds.path, { metadata, ...definitionMembers(kind, {}, version) });
}
const asTable = 'application/json;as=Table;g=meta.k8s.io;v=v1';
const levels = (times: number): string => nestedText(times, '{"a":', '}', '1');
const tables: Attack[] = [
  {
    name: 'a table with a text of 1 MiB in 1,000 columns',
    send: () => ({ method: 'GET', path: `${wide.path}/${wide.object}`, headers: { accept: asTable } }),
    codes: [200],
  },
  {
    name: 'a table whose paths find values again and again',
    send: () => ({ method: 'GET', path: `${deep.path}/${deep.object}`, headers: { accept: asTable } }),
    codes: [200],
  },
];

const objects: readonly Request[] = [
  post(gadgets.path, { ...gadgets.members, metadata: { name: gadgets.object }, spec: {} }),
  post(widgets.path, { ...widgets.members, metadata: { name: widgets.object }, spec: {} }),
  post(pods.path, { ...pods.members, metadata: { name: pods.object } }),
  post(configMaps.path, { ...configMaps.members, metadata: { name: configMaps.object } }),
  post(defaulted.path, { ...defaulted.members, metadata: { name: defaulted.object }, spec: {} }),
  post(wide.path, { ...wide.members, metadata: { name: wide.object }, spec: { text: long(mebibyte) } }),
  post(deep.path, { ...deep.members, metadata: { name: deep.object }, spec: JSON.parse(levels(100)) }),
];

export const growth: Attacks = {
  title: 'growth',
  setup: [
    ...defineCustom,
    define('Defaulted', { type: 'object', properties: { list: { type: 'array', items: withDefaults } } }),
    define('Nested', {
      type: 'object',
      properties: {
        list: {
          type: 'array',
          items: { type: 'object', properties: { inner: { ...withDefaults, default: {} } } },
        },
      },
    }),
    define('Mapped', { type: 'object', additionalProperties: withDefaults }),
    define('Texts', { type: 'array', items: { type: 'string', default: long(2_000) } }),
    printed('Wide', columns),
    printed('Deep', deepColumns),
    ...setPolicies,
  ],
  serves: [...servesCustom, ...[defaulted, nested, mapped, texts, wide, deep].map(({ path }) => path)],
  objects,
  rows: [...copies, ...filled, ...small, byPolicy('copies', [403]), byPolicy('values', [500]), ...tables],
};
