import { catalog } from '../../../generated/v1.35/catalog.ts';
import { formatGroupVersion } from '../../../runtime/machinery/gvk.ts';
import type { TestValue } from '../../support/test-object.ts';
import type { Request } from './exchange.ts';
import { Choices } from './random-objects.ts';
import type { Scene } from './scenes.ts';
import type { Source } from './sources.ts';

const aggregated = (version: string, more = ''): string =>
  `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList${more}`;
const forms = [
  'application/json',
  aggregated('v2'),
  aggregated('v2beta1'),
  `${aggregated('v2')},${aggregated('v2beta1')},application/json`,
  aggregated('v2', ';profile=nopeer'),
  `${aggregated('v3')},application/json`,
  aggregated('v3'),
  'application/yaml',
  'text/html',
  '*/*',
];

/** Random definitions of custom resources. */
function definition(random: Choices, at: number): Request {
  const group = random.pick(['a.io', 'b.io', 'apps.b.io']);
  const plural = `things${at}`;
  const property = (): TestValue =>
    random.pick<TestValue>([
      { type: 'string', description: 'a text', default: 'x' },
      { type: 'integer', format: 'int32', minimum: 0, maximum: 5 },
      { type: 'object', additionalProperties: { type: 'string' } },
      {
        type: 'array',
        items: { type: 'object', required: ['k'], properties: { k: { type: 'string' }, v: { type: 'number' } } },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
      },
      { type: 'string', enum: ['a', 'b'], nullable: true },
      { 'x-kubernetes-int-or-string': true },
      { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      { type: 'object', 'x-kubernetes-embedded-resource': true, properties: { kind: { type: 'string' } } },
      { type: 'string', pattern: '^a', 'x-kubernetes-validations': [{ rule: "self != 'x'", message: 'm' }] },
      { type: 'object', properties: { a: { type: 'string' } }, oneOf: [{ required: ['a'] }, { required: ['b'] }] },
    ]);
  const schema = (): TestValue => ({
    type: 'object',
    ...random.maybe(0.5, { description: 'A thing.' }),
    properties: {
      spec: {
        type: 'object',
        properties: Object.fromEntries(random.some(['a', 'b', 'c', 'd'], 3).map((name) => [name, property()])),
        ...random.maybe(0.2, { required: ['a'] }),
      },
      status: { type: 'object', properties: { replicas: { type: 'integer' }, selector: { type: 'string' } } },
    },
  });
  const version = (name: string, storage: boolean): TestValue => ({
    name,
    served: storage || random.chance(0.8),
    storage,
    schema: { openAPIV3Schema: random.chance(0.9) ? schema() : { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
    ...random.maybe(0.5, () => ({
      subresources: {
        status: {},
        ...random.maybe(0.5, { scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } }),
      },
    })),
    ...random.maybe(0.3, { deprecated: true }),
    ...random.maybe(0.4, { additionalPrinterColumns: [{ name: 'A', type: 'string', jsonPath: '.spec.a' }] }),
    ...random.maybe(0.2, { selectableFields: [{ jsonPath: '.status.selector' }] }),
  });
  return {
    method: 'POST',
    path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    body: {
      metadata: { name: `${plural}.${group}` },
      spec: {
        group,
        scope: random.pick(['Namespaced', 'Cluster']),
        names: {
          plural,
          kind: `Thing${at}`,
          ...random.maybe(0.5, { shortNames: [`t${at}`], categories: ['all'] }),
          ...random.maybe(0.3, { singular: `one${at}` }),
        },
        versions: [
          version(random.pick(['v1', 'v2', 'v1beta1']), true),
          ...(random.chance(0.6) ? [version(random.pick(['v1alpha1', 'v3', 'v10']), false)] : []),
        ],
        ...random.maybe(0.3, { preserveUnknownFields: false }),
      },
    },
  };
}

/** An APIService of a server that does not exist. */
function service(random: Choices): Request {
  const group = random.pick(['remote.io', 'a.io']);
  const version = random.pick(['v1', 'v7']);
  return {
    method: 'POST',
    path: '/apis/apiregistration.k8s.io/v1/apiservices',
    body: {
      metadata: { name: `${version}.${group}` },
      spec: {
        group,
        version,
        groupPriorityMinimum: random.pick([1, 1000, 18000]),
        versionPriority: random.pick([1, 15, 100]),
        service: { namespace: 'default', name: 'absent' },
        insecureSkipTLSVerify: true,
      },
    },
  };
}

const get = (path: string, accept = 'application/json'): Request => ({ method: 'GET', path, accept });

/** Discovery, with random definitions and services installed. */
function discoveryScene(seed: number): Scene {
  const random = new Choices(seed);
  const requests: Request[] = [];
  const definitions = Array.from({ length: random.between(1, 3) }, (_, at) => definition(random, at));
  for (const request of definitions) {
    requests.push(request);
    const { spec } = request.body;
    const [{ name }] = spec.versions;
    requests.push({ ...get(`/apis/${spec.group}/${name}/${spec.names.plural}`), until: 200 });
  }
  if (random.chance(0.5)) requests.push(service(random));
  requests.push(...['/api', '/apis'].flatMap((path) => random.some(forms, 4).map((form) => get(path, form))));
  for (const { body } of definitions) {
    const { spec } = body;
    requests.push(get(`/apis/${spec.group}`, random.pick(forms)));
    for (const { name } of spec.versions)
      requests.push(get(`/apis/${spec.group}/${name}`, random.pick(forms)), get(`/openapi/v3/apis/${spec.group}/${name}`));
  }
  requests.push(get(random.pick(['/apis/remote.io', '/apis/remote.io/v1', '/apis/remote.io/v1/x', '/apis/odd.io'])));
  requests.push(get('/openapi/v3'), get('/openapi/v2'));
  requests.push(get('/apis/apiregistration.k8s.io/v1/apiservices'), get('/apis/apiextensions.k8s.io/v1/customresourcedefinitions'));
  return { title: 'definitions', feature: 'discovery and OpenAPI', seed, requests, collection: '', name: '', isIndependent: true };
}

/** Documents about built-in kinds, whole. */
function builtinScene(seed: number): Scene {
  const random = new Choices(seed);
  const versions = catalog.groupVersions.map(formatGroupVersion);
  const places = versions.map((version) => (version.includes('/') ? `apis/${version}` : `api/${version}`));
  const groups = [...new Set(versions.filter((version) => version.includes('/')).map((version) => version.split('/')[0]))];
  const requests = [
    ...['/api', '/apis'].flatMap((path) => forms.map((form) => get(path, form))),
    ...groups.map((group) => get(`/apis/${group}`, random.pick(forms))),
    ...places.map((place) => get(`/${place}`, random.pick(forms))),
    get('/openapi/v3'),
    ...places.map((place) => get(`/openapi/v3/${place}`)),
    get('/openapi/v3/version'),
    get('/openapi/v3/api'),
    get('/openapi/v3/apis'),
    ...groups.map((group) => get(`/openapi/v3/apis/${group}`)),
    get('/openapi/v3/.well-known/openid-configuration'),
    get('/openapi/v3/openid/v1/jwks'),
    get('/openapi/v3/logs'),
    get('/openapi/v3/odd'),
    get('/openapi/v2'),
    ...random
      .some(
        [
          'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
          'application/vnd.kubernetes.protobuf',
          'text/html',
          'application/yaml',
        ],
        2,
      )
      .flatMap((form) => [get('/openapi/v2', form), get('/openapi/v3/api/v1', form)]),
    ...['clusterroles', 'clusterrolebindings', 'roles', 'rolebindings'].map((resource) =>
      get(`/apis/rbac.authorization.k8s.io/v1/${resource}`),
    ),
    ...['flowschemas', 'prioritylevelconfigurations'].map((resource) => get(`/apis/flowcontrol.apiserver.k8s.io/v1/${resource}`)),
    get('/apis/apiregistration.k8s.io/v1/apiservices'),
    get('/apis/scheduling.k8s.io/v1/priorityclasses'),
    get('/apis/networking.k8s.io/v1/servicecidrs'),
    get('/api/v1/namespaces'),
    get('/api/v1/services'),
    get('/'),
    get('/.well-known/openid-configuration'),
  ];
  return {
    title: 'built-in',
    feature: 'discovery and OpenAPI',
    seed,
    requests,
    collection: '',
    name: '',
    isIndependent: true,
  };
}

/** Discovery and OpenAPI, compared whole. */
export function documents(): Source {
  return {
    scenes: (seed, titles) => [builtinScene(seed), discoveryScene(seed)].filter(({ title }) => titles.test(title)),
  };
}
