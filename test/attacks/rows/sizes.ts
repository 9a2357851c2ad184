import { create, objectText } from '../builders/json.ts';
import { configMaps, dry, pods, type Target } from '../builders/targets.ts';
import { count, large, long, many, mebibyte } from '../builders/text.ts';
import { yamlText } from '../builders/yaml.ts';
import type { Attack, Attacks, Request } from '../harness/attack.ts';

const most = 3 * mebibyte;
const tooLarge = 'Request entity too large: limit is 3145728';

/** Bodies of every kind, one byte below and one byte above the limit. */
const bodies: readonly (readonly [method: string, type: string, path: string, codesBelow: readonly number[]])[] = [
  ['POST', 'application/json', dry(configMaps.path), [422]],
  ['POST', 'application/yaml', dry(configMaps.path), [422]],
  ['POST', 'application/vnd.kubernetes.protobuf', dry(configMaps.path), [400]],
  ['PUT', 'application/json', dry(`${configMaps.path}/attacked`), [422]],
  ['PATCH', 'application/merge-patch+json', dry(`${configMaps.path}/attacked`), [422]],
  ['PATCH', 'application/strategic-merge-patch+json', dry(`${configMaps.path}/attacked`), [422]],
  ['PATCH', 'application/json-patch+json', dry(`${configMaps.path}/attacked`), [400]],
  ['PATCH', 'application/apply-patch+yaml', dry(`${configMaps.path}/attacked`, '&fieldManager=x'), [422]],
  ['DELETE', 'application/json', dry(`${configMaps.path}/attacked`), [400]],
  ['POST', 'application/json', '/apis/authentication.k8s.io/v1/tokenreviews', [400]],
];

/** Returns an object with exactly the given number of bytes. */
function sized(bytes: number, type: string, of: string): string {
  const target: Target = { ...configMaps, members: of === '' ? configMaps.members : { kind: of } };
  const made = (value: string): string => {
    const data = `"data":{"a":"${value}"}`;
    return type.endsWith('yaml') ? yamlText(target, `data: {"a": "${value}"}`) : objectText(target, data);
  };
  return made(long(bytes - Buffer.byteLength(made(''))));
}

/** An empty delete has no options, and an empty YAML document is an object without members. */
function emptyBodyCode(method: string, type: string): number {
  if (method === 'DELETE') return 200;
  return method === 'POST' && type.endsWith('yaml') ? 422 : 400;
}

const limits: Attack[] = bodies.flatMap(([method, type, path, codes]) => {
  const review = path.endsWith('tokenreviews') ? 'TokenReview' : '';
  const send = (bytes: number) => (): Request => ({
    method,
    path,
    headers: { 'content-type': type },
    body: sized(bytes, type, review),
  });
  const to = `${method} ${type} ${review}`.trim();
  return [
    { name: `${to}: the maximum size`, send: send(most), codes },
    { name: `${to}: a byte more than the maximum`, send: send(most + 1), codes: [413], message: tooLarge },
    { name: `${to}: twice the maximum`, send: send(2 * most), codes: [413], message: tooLarge },
    { name: `${to}: an empty body`, send: () => ({ ...send(1000)(), body: '' }), codes: [emptyBodyCode(method, type)] },
  ];
});

const kind = (path: string, apiVersion: string, name: string): Target => {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : '/api/v1';
  return {
    name: path,
    path: `${root}/namespaces/default/${path}`,
    members: { apiVersion, kind: name },
    object: 'attacked',
  };
};
const wide = (name: string, target: Target, members: () => string, codes: readonly number[]): Attack => ({
  name: `${target.name}: ${name}`,
  send: () => create(target, objectText(target, members())),
  codes,
});
const list = (times: number, one: (at: number) => string): string => `[${many(times, one)}]`;
const podSpec = (members: string): string => `"spec":{"containers":[{"name":"c","image":"i"}],${members}}`;
const container = (members: string): string => `"spec":{"containers":[{"name":"c","image":"i",${members}}]}`;
const bare: Target = { ...pods, members: { apiVersion: 'v1', kind: 'Pod' } };
const services = kind('services', 'v1', 'Service');
const slices = kind('endpointslices', 'discovery.k8s.io/v1', 'EndpointSlice');
const endpoints = kind('endpoints', 'v1', 'Endpoints');
const roles = kind('roles', 'rbac.authorization.k8s.io/v1', 'Role');
const policies = kind('networkpolicies', 'networking.k8s.io/v1', 'NetworkPolicy');
const ingresses = kind('ingresses', 'networking.k8s.io/v1', 'Ingress');
const secrets = kind('secrets', 'v1', 'Secret');
const quotas = kind('resourcequotas', 'v1', 'ResourceQuota');
const cronJobs = kind('cronjobs', 'batch/v1', 'CronJob');
const autoscalers = kind('horizontalpodautoscalers', 'autoscaling/v2', 'HorizontalPodAutoscaler');

/** Lists of kinds whose items are validated against each other. */
const lists: Attack[] = [1_000, 20_000].flatMap((times) => {
  const of = (what: string): string => `${count(times)} ${what}`;
  return [
    wide(of('containers'), bare, () => `"spec":{"containers":${list(times, (at) => `{"name":"c${at}","image":"i"}`)}}`, [201]),
    wide(of('containers of one name'), bare, () => `"spec":{"containers":${list(times, () => '{"name":"c","image":"i"}')}}`, [422]),
    wide(of('volumes'), bare, () => podSpec(`"volumes":${list(times, (at) => `{"name":"v${at}","emptyDir":{}}`)}`), [201]),
    wide(of('volumes of one name'), bare, () => podSpec(`"volumes":${list(times, () => '{"name":"v","emptyDir":{}}')}`), [422]),
    wide(
      of('mounts of no volume'),
      bare,
      () => container(`"volumeMounts":${list(times, (at) => `{"name":"v${at}","mountPath":"/${at}"}`)}`),
      [422],
    ),
    wide(
      of('mounts at one place'),
      bare,
      () => container(`"volumeMounts":${list(times, (at) => `{"name":"v${at}","mountPath":"/a"}`)}`),
      [422],
    ),
    wide(of('variables'), bare, () => container(`"env":${list(times, (at) => `{"name":"V${at}","value":"$(V${at - 1})"}`)}`), [201]),
    wide(of('variables of one name'), bare, () => container(`"env":${list(times, () => '{"name":"V"}')}`), [201]),
    wide(
      of('ports of a container'),
      bare,
      () => container(`"ports":${list(times, (at) => `{"name":"p${at}","containerPort":${(at % 65_000) + 1}}`)}`),
      [201],
    ),
    wide(
      of('ports of one name'),
      bare,
      () => container(`"ports":${list(times, () => '{"name":"p","containerPort":1,"hostPort":1}')}`),
      [422],
    ),
    wide(of('tolerations'), bare, () => podSpec(`"tolerations":${list(times, (at) => `{"key":"k${at}","operator":"Exists"}`)}`), [201]),
    wide(
      of('constraints of topology'),
      bare,
      () =>
        podSpec(
          `"topologySpreadConstraints":${list(times, (at) => `{"maxSkew":1,"topologyKey":"k${at}","whenUnsatisfiable":"DoNotSchedule"}`)}`,
        ),
      [201],
    ),
    wide(of('aliases of hosts'), bare, () => podSpec(`"hostAliases":${list(times, () => '{"ip":"1.2.3.4","hostnames":["a"]}')}`), [201]),
    wide(of('gates'), bare, () => podSpec(`"schedulingGates":${list(times, (at) => `{"name":"g${at}"}`)}`), [201]),
    wide(
      of('ports of a service'),
      services,
      () => `"spec":{"ports":${list(times, (at) => `{"name":"p${at}","port":${(at % 65_000) + 1}}`)}}`,
      [201],
    ),
    wide(of('ports of a service of one name'), services, () => `"spec":{"ports":${list(times, () => '{"name":"p","port":80}')}}`, [422]),
    wide(
      of('addresses'),
      endpoints,
      () => `"subsets":[{"addresses":${list(times, (at) => `{"ip":"10.0.${(at >> 8) % 256}.${at % 256}"}`)},"ports":[{"port":80}]}]`,
      [201],
    ),
    wide(
      of('subsets'),
      endpoints,
      () => `"subsets":${list(times, (at) => `{"addresses":[{"ip":"10.0.0.${at % 256}"}],"ports":[{"port":80}]}`)}`,
      [201],
    ),
    wide(
      of('endpoints'),
      slices,
      () => `"addressType":"IPv4","endpoints":${list(times, () => '{"addresses":["10.0.0.1"]}')}`,
      times > 1_000 ? [422] : [201],
    ),
    wide(of('rules'), roles, () => `"rules":${list(times, (at) => `{"apiGroups":["g${at}"],"resources":["*"],"verbs":["*"]}`)}`, [201]),
    wide(of('rules that are empty'), roles, () => `"rules":${list(times, () => '{}')}`, [422]),
    wide(
      of('rules of a policy'),
      policies,
      () => `"spec":{"podSelector":{},"egress":${list(times, (at) => `{"ports":[{"port":${(at % 65_000) + 1}}]}`)}}`,
      [201],
    ),
    wide(
      of('blocks of addresses to leave out'),
      policies,
      () =>
        `"spec":{"podSelector":{},"egress":[{"to":[{"ipBlock":{"cidr":"10.0.0.0/8","except":${list(times, (at) => `"10.${at % 256}.0.0/16"`)}}}]}]}`,
      [201],
    ),
    wide(
      of('rules of an ingress'),
      ingresses,
      () =>
        `"spec":{"rules":${list(times, (at) => `{"host":"h${at}.example.com","http":{"paths":[{"path":"/","pathType":"Prefix","backend":{"service":{"name":"s","port":{"number":80}}}}]}}`)}}`,
      [201],
    ),
    wide(of('limits'), quotas, () => `"spec":{"hard":{${many(times, (at) => `"count/r${at}.example.com":"1"`)}}}`, [
      times > 1_000 ? 422 : 201,
    ]),
    wide(
      of('metrics'),
      autoscalers,
      () =>
        `"spec":{"maxReplicas":2,"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"a"},"metrics":${list(times, (at) => `{"type":"Pods","pods":{"metric":{"name":"m${at}"},"target":{"type":"AverageValue","averageValue":"1"}}}`)}}`,
      [201],
    ),
  ];
});

const template = '{"spec":{"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}}';
const values: Attack[] = [
  wide('base64 of 3 MiB', secrets, () => `"data":{"a":"${long(large - (large % 4))}"}`, [422]),
  wide('invalid base64', secrets, () => `"data":{"a":"${long(large, '*')}"}`, [400]),
  wide('base64 of line breaks', secrets, () => `"data":{"a":"${long(large, '\\n')}"}`, [201]),
  wide('a quantity of a mebibyte', quotas, () => `"spec":{"hard":{"cpu":"${long(mebibyte, '9')}"}}`, [400]),
  wide('a quantity of a large power', quotas, () => '"spec":{"hard":{"cpu":"1e999999999"}}', [201]),
  wide(
    '10,000 quantities of 30 digits',
    quotas,
    () => `"spec":{"hard":{${many(10_000, (at) => `"count/r${at}":"${long(30, '9')}"`)}}}`,
    [422],
  ),
  wide(
    'a schedule of a mebibyte',
    cronJobs,
    () => `"spec":{"schedule":"${long(mebibyte, '1,')}1 * * * *","jobTemplate":${template}}`,
    [201],
  ),
  wide('a schedule of spaces', cronJobs, () => `"spec":{"schedule":"${long(mebibyte, ' ')}","jobTemplate":${template}}`, [422]),
  wide(
    'a time zone of a mebibyte',
    cronJobs,
    () => `"spec":{"schedule":"* * * * *","timeZone":"${long(mebibyte, 'a/')}","jobTemplate":${template}}`,
    [422],
  ),
  wide(
    'a time zone with a path to a parent',
    cronJobs,
    () => `"spec":{"schedule":"* * * * *","timeZone":"../../etc/passwd","jobTemplate":${template}}`,
    [422],
  ),
  wide('an image of 2 MiB', bare, () => `"spec":{"containers":[{"name":"c","image":"${long(2 * mebibyte, 'a/')}"}]}`, [201]),
  wide('a command of 2 MiB of references', bare, () => container(`"command":["${long(2 * mebibyte, '$(')}"]`), [201]),
  wide('a host of 2 MiB', ingresses, () => `"spec":{"rules":[{"host":"${long(2 * mebibyte, 'a.')}"}]}`, [422]),
  wide(
    'a path of 2 MiB',
    ingresses,
    () =>
      `"spec":{"rules":[{"http":{"paths":[{"path":"/${long(2 * mebibyte, '../')}","pathType":"Exact","backend":{"service":{"name":"s","port":{"number":80}}}}]}}]}`,
    [422],
  ),
  wide(
    'an address of 2 MiB',
    endpoints,
    () => `"subsets":[{"addresses":[{"ip":"${long(2 * mebibyte, '1.')}"}],"ports":[{"port":80}]}]`,
    [422],
  ),
  wide(
    'an IPv6 address of 2 MiB',
    endpoints,
    () => `"subsets":[{"addresses":[{"ip":"${long(2 * mebibyte, '::')}"}],"ports":[{"port":80}]}]`,
    [422],
  ),
];

export const sizes: Attacks = {
  title: 'sizes of bodies, lists and values',
  objects: [
    {
      method: 'POST',
      path: configMaps.path,
      headers: { 'content-type': 'application/json' },
      body: objectText(configMaps),
    },
  ],
  rows: [...limits, ...lists, ...values],
};
