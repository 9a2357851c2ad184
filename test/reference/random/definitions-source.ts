import type { TestObject, TestValue } from '../../support/test-object.ts';
import type { Request } from './exchange.ts';
import { Choices } from './random-objects.ts';
import { memberNames, RandomSchemas, type Schema } from './random-schemas.ts';
import type { Scene } from './scenes.ts';
import type { Source } from './sources.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Scenes of a round. */
const scenesOfRound = 20;

const tables = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const forms = [undefined, undefined, 'application/yaml', tables, 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io'];
/** Without YAML, whose managed fields are in the order of times. */
const definitionForms = [...forms.filter((form) => !form?.includes('yaml')), 'application/vnd.kubernetes.protobuf'];
const queries = ['', '', '', 'fieldValidation=Strict', 'fieldValidation=Ignore', 'fieldValidation=Warn', 'dryRun=All', 'fieldManager=a'];
const selections = [
  '',
  'limit=1',
  'labelSelector=a=b',
  'fieldSelector=metadata.name=x',
  'fieldSelector=spec.color=a',
  'fieldSelector=spec.color!=a',
  'fieldSelector=spec.size=1',
  'fieldSelector=spec.nope=1',
  'resourceVersion=0',
];

interface Version {
  readonly name: string;
  readonly schema: Schema;
}

/** CustomResourceDefinitions with random schemas, and random objects of their kinds. */
export const definitionsSource = (
  contentTypes: readonly (string | undefined)[] = [undefined, undefined, undefined, 'application/yaml'],
): Source => ({
  lanes: 2,
  scenes: function* (seed, titles) {
    for (let at = 0; at < scenesOfRound; at++) {
      const title = `custom resources ${at}`;
      if (titles.test(title)) yield new DefinitionScene(seed, at, contentTypes).scene(title);
    }
  },
});

/** One definition and the requests about it. */
class DefinitionScene {
  readonly #seed: number;
  readonly #choices: Choices;
  readonly #schemas: RandomSchemas;
  readonly #group: string;
  readonly #contentTypes: readonly (string | undefined)[];
  readonly #isNamespaced: boolean;
  readonly #versions: readonly Version[];
  readonly #subresources: Readonly<Record<string, TestValue>>;

  constructor(seed: number, at: number, contentTypes: readonly (string | undefined)[]) {
    this.#seed = seed;
    this.#choices = new Choices(Math.imul(seed, 31) + at * 7919);
    this.#schemas = new RandomSchemas(this.#choices);
    this.#group = `g${(seed % 100_000).toString(36)}x${at}.example.com`;
    this.#contentTypes = contentTypes;
    const choices = this.#choices;
    this.#isNamespaced = choices.chance(0.7);
    const first = this.#root();
    this.#versions = [
      { name: 'v1', schema: first },
      ...(choices.chance(0.3)
        ? [{ name: choices.pick(['v1beta1', 'v2alpha1', 'v3']), schema: choices.chance(0.5) ? first : this.#root() }]
        : []),
    ];
    this.#subresources = {
      ...choices.maybe(0.6, { status: {} }),
      ...choices.maybe(0.4, {
        scale: {
          specReplicasPath: '.spec.replicas',
          statusReplicasPath: '.status.replicas',
          ...choices.maybe(0.5, { labelSelectorPath: '.status.selector' }),
        },
      }),
    };
  }

  scene(title: string): Scene {
    const choices = this.#choices;
    const requests: Request[] = [{ method: 'POST', path: definitions, body: this.#definition() }];
    requests.push({ method: 'GET', path: `${definitions}/${this.#crdName}`, accept: choices.pick(definitionForms) });
    requests.push(this.#post('x'), this.#post('x'));
    const count = choices.between(8, 14);
    for (let at = 0; at < count; at++) requests.push(this.#next());
    requests.push({ method: 'DELETE', path: `${definitions}/${this.#crdName}` });
    return { title, seed: this.#seed, feature: 'custom resources', requests, collection: '', name: 'x', needsFirst: true };
  }

  get #crdName(): string {
    return `ws.${this.#group}`;
  }

  #collection(version: string = this.#choices.pick(this.#versions).name): string {
    return `/apis/${this.#group}/${version}${this.#isNamespaced ? '/namespaces/default' : ''}/ws`;
  }

  /** The schema of an object with the members that subresources, columns and selectors name. */
  #root(): Schema {
    const choices = this.#choices;
    const known: Record<string, Schema> = {
      replicas: { type: 'integer', ...choices.maybe(0.5, { default: 1 }), ...choices.maybe(0.3, { maximum: 5 }) },
      color: { type: 'string', maxLength: 10, ...choices.maybe(0.3, { enum: ['a', 'b', 'c'] }) },
      size: this.#schemas.schema(0),
    };
    const spec = { ...this.#schemas.object(3, known), ...choices.maybe(0.3, { default: {} }) };
    const status = this.#schemas.object(2, { replicas: { type: 'integer' }, selector: { type: 'string', maxLength: 20 } });
    return {
      type: 'object',
      properties: {
        spec,
        status,
        ...choices.maybe(0.1, { [choices.pick(memberNames.filter((name) => name !== 'namespace'))]: this.#schemas.schema(1) }),
        ...choices.maybe(0.1, { metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 8 } } } }),
      },
      ...choices.maybe(0.15, { required: ['spec'] }),
      ...choices.maybe(0.1, { 'x-kubernetes-validations': [choices.pick(rootRules)] }),
      ...choices.maybe(0.05, { 'x-kubernetes-preserve-unknown-fields': true }),
    };
  }

  #definition(): TestValue {
    const choices = this.#choices;
    const { chance } = { chance: (probability: number) => choices.chance(probability) };
    return {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: this.#crdName },
      spec: {
        group: this.#group,
        scope: this.#isNamespaced ? 'Namespaced' : 'Cluster',
        names: {
          plural: 'ws',
          kind: 'W',
          ...choices.maybe(0.3, { singular: 'w' }),
          ...choices.maybe(0.2, { shortNames: ['wsh'] }),
          ...choices.maybe(0.2, { categories: ['all'] }),
          ...choices.maybe(0.1, { listKind: 'Ws' }),
        },
        ...choices.maybe(0.05, { preserveUnknownFields: chance(0.5) }),
        ...choices.maybe(0.1, { conversion: { strategy: 'None' } }),
        versions: this.#versions.map(({ name, schema }, index) => ({
          name,
          served: index === 0 || chance(0.9),
          storage: index === 0,
          ...choices.maybe(0.1, { deprecated: true, ...choices.maybe(0.5, { deprecationWarning: 'it is old' }) }),
          schema: { openAPIV3Schema: schema },
          ...(Object.keys(this.#subresources).length > 0 ? { subresources: this.#subresources } : {}),
          ...choices.maybe(0.4, () => ({ additionalPrinterColumns: choices.some(columns, 4) })),
          ...choices.maybe(0.3, () => ({
            selectableFields: [{ jsonPath: '.spec.color' }, ...(chance(0.2) ? [{ jsonPath: '.spec.size' }] : [])],
          })),
        })),
      },
    };
  }

  #object(wrong: number, name = 'x'): TestObject {
    const { name: version, schema } = this.#choices.pick(this.#versions);
    const value = this.#schemas.value(schema, wrong);
    const members = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
    return {
      apiVersion: `${this.#group}/${version}`,
      kind: 'W',
      ...members,
      metadata: { name, ...this.#choices.maybe(0.2, { labels: { a: 'b' } }), ...this.#choices.maybe(0.03, { odd: 1 }) },
    };
  }

  get #wrong(): number {
    return this.#choices.pick([0, 0, 0.02, 0.06]);
  }

  #path(subresource = '', version?: string): string {
    const query = this.#choices.pick(queries);
    return `${this.#collection(version)}/x${subresource}${query === '' ? '' : `?${query}`}`;
  }

  #formed(request: Request): Request {
    const contentType = request.contentType ?? this.#choices.pick(this.#contentTypes);
    return { ...request, ...(contentType === undefined ? {} : { contentType }), accept: request.accept ?? this.#choices.pick(forms) };
  }

  #post(name: string): Request {
    const query = this.#choices.pick(queries);
    const body = this.#object(this.#wrong, name);
    const version = String(body.apiVersion).split('/')[1];
    return this.#formed({ method: 'POST', path: `${this.#collection(version)}${query === '' ? '' : `?${query}`}`, body });
  }

  #next(): Request {
    const choices = this.#choices;
    const object = (): TestObject => this.#object(this.#wrong);
    const versionOf = ({ apiVersion }: TestObject): string => String(apiVersion).split('/')[1];
    const ways: (() => Request)[] = [
      () => this.#post(choices.pick(['x', 'y', 'z'])),
      () => {
        const body = object();
        return this.#formed({
          method: 'PUT',
          path: this.#path('', versionOf(body)),
          body,
          edits: this.#collection(versionOf(body)).concat('/x'),
        });
      },
      () => {
        const body = object();
        return this.#formed({ method: 'PUT', path: this.#path('', versionOf(body)), body });
      },
      () => ({ method: 'PATCH', path: this.#path(), contentType: 'application/merge-patch+json', body: this.#part(object()) }),
      () => ({ method: 'PATCH', path: this.#path(), contentType: 'application/json-patch+json', body: this.#operations(object()) }),
      () => {
        const body = object();
        const query = `fieldManager=${choices.pick(['a', 'b'])}${choices.chance(0.5) ? '&force=true' : ''}`;
        return {
          method: 'PATCH',
          path: `${this.#collection(versionOf(body))}/x?${query}`,
          contentType: 'application/apply-patch+yaml',
          body,
        };
      },
      () => {
        const body = object();
        return this.#formed({
          method: 'PUT',
          path: this.#path('/status', versionOf(body)),
          body,
          edits: `${this.#collection(versionOf(body))}/x`,
        });
      },
      () => ({ method: 'PATCH', path: this.#path('/status'), contentType: 'application/merge-patch+json', body: this.#part(object()) }),
      () => ({ method: 'GET', path: this.#path('/scale') }),
      () => ({
        method: 'PATCH',
        path: this.#path('/scale'),
        contentType: 'application/merge-patch+json',
        body: { spec: { replicas: choices.pick([0, 3, 7, -1, 'x']) } },
      }),
      () => ({ method: 'PUT', path: this.#path('/scale'), body: { spec: { replicas: 2 } }, edits: `${this.#collection()}/x/scale` }),
      () => ({ method: 'GET', path: `${this.#collection()}/x`, accept: choices.pick(forms) }),
      () => ({ method: 'GET', path: `${this.#collection()}?${choices.pick(selections)}`, accept: choices.pick(forms.slice(0, 4)) }),
      () => ({
        method: 'GET',
        path: `${this.#collection()}?watch=1&timeoutSeconds=1&${choices.pick(selections)}`,
        accept: choices.pick([undefined, tables]),
      }),
      () => ({ method: 'DELETE', path: `${this.#collection()}/x` }),
      () => ({ method: 'DELETE', path: `${this.#collection()}?${choices.pick(selections)}` }),
      () => this.#redefine(),
      () => ({
        method: 'GET',
        path: `${definitions}/${this.#crdName}`,
        accept: choices.pick(definitionForms),
      }),
      () => ({ method: 'GET', path: `/openapi/v3/apis/${this.#group}/v1` }),
      () => ({ method: 'GET', path: `/apis/${this.#group}/${choices.pick(this.#versions).name}` }),
    ];
    return choices.pick(ways)();
  }

  /** Another schema for the same kind. */
  #redefine(): Request {
    const choices = this.#choices;
    const path = `${definitions}/${this.#crdName}`;
    const at = '/spec/versions/0/schema/openAPIV3Schema/properties/spec';
    const operations: TestValue[] = choices.pick([
      [{ op: 'add', path: `${at}/properties/color`, value: { type: 'string', maxLength: 3 } }],
      [{ op: 'add', path: `${at}/x-kubernetes-validations`, value: [{ rule: "!has(self.color) || self.color != 'b'", message: 'no b' }] }],
      [{ op: 'add', path: `${at}/properties/extra`, value: this.#schemas.schema(1) }],
      [{ op: 'add', path: `${at}/required`, value: ['color'] }],
      [{ op: 'add', path: '/spec/versions/0/schema/openAPIV3Schema', value: this.#root() }],
      [{ op: 'add', path: '/spec/versions/0/additionalPrinterColumns', value: choices.some(columns, 3) }],
      [{ op: 'replace', path: '/spec/scope', value: 'Odd' }],
    ]);
    return { method: 'PATCH', path, contentType: 'application/json-patch+json', body: operations };
  }

  /** Some members of the object. */
  #part({ apiVersion: _v, kind: _k, metadata: _m, ...members }: TestObject): TestValue {
    const kept = (value: TestValue, depth: number): TestValue => {
      if (typeof value !== 'object' || value === null || Array.isArray(value) || depth === 0)
        return this.#choices.chance(0.1) ? null : value;
      return Object.fromEntries(
        Object.entries(value)
          .filter(() => this.#choices.chance(0.6))
          .map(([key, member]) => [key, kept(member, depth - 1)]),
      );
    };
    return kept(members, 3);
  }

  #operations(object: TestObject): TestValue {
    const { apiVersion: _v, kind: _k, metadata: _m, ...members } = object;
    const [name = 'spec', value] = this.#choices.pick([...Object.entries(members), ['spec', {}]]);
    const inner = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
    if (inner.length === 0 || this.#choices.chance(0.2))
      return [{ op: this.#choices.pick(['add', 'replace', 'remove', 'test']), path: `/${name}`, value }];
    const [key = '', member] = this.#choices.pick(inner);
    return [
      { op: this.#choices.pick(['add', 'add', 'replace', 'remove', 'test']), path: `/${name}/${key.replaceAll('/', '~1')}`, value: member },
    ];
  }
}

const rootRules: readonly TestValue[] = [
  { rule: "self.metadata.name != 'bad'" },
  { rule: "self.metadata.name.size() < 3 && self.kind == 'W'" },
  { rule: 'has(self.spec)', fieldPath: '.spec' },
  { rule: "self.apiVersion.startsWith('g')" },
  { rule: '!has(self.status) || has(self.spec)' },
  { rule: "self.metadata.labels['a'] == 'b'" },
];

const columns: readonly TestValue[] = [
  { name: 'Color', type: 'string', jsonPath: '.spec.color' },
  { name: 'Size', type: 'integer', jsonPath: '.spec.size', priority: 1, description: 'how big' },
  { name: 'Replicas', type: 'integer', jsonPath: '.spec.replicas', format: 'int32' },
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  { name: 'Items', type: 'string', jsonPath: '.spec.items[*]' },
  { name: 'First', type: 'number', jsonPath: '.spec.items[0]' },
  { name: 'Flag', type: 'boolean', jsonPath: '.spec.a' },
  { name: 'Name', type: 'string', jsonPath: '.metadata.name' },
  { name: 'Labels', type: 'string', jsonPath: '.metadata.labels' },
  { name: 'B', type: 'string', jsonPath: ".spec['b']" },
  { name: 'Any', type: 'string', jsonPath: '..a' },
  { name: 'Filter', type: 'string', jsonPath: ".spec.items[?(@.key=='k0')].port" },
  { name: 'Odd', type: 'string', jsonPath: '.status.selector' },
];
