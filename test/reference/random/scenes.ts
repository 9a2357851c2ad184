import { type Change, type Draw, SchemaValues } from '../../properties/schema-values.ts';
import { collectionOf, type Subject } from '../../properties/subjects.ts';
import { merged, patchTypes } from '../../properties/writes.ts';
import { Random } from '../../support/random.ts';
import type { TestObject, TestValue } from '../../support/test-object.ts';
import type { Request } from './exchange.ts';

/** Requests in order, as those about the objects of one kind. */
export interface Scene {
  /** As `apps/v1 Deployment`. */
  readonly title: string;
  /** The feature of kube-apiserver in the counts. Default: by request, for example `server-side apply`. */
  readonly feature?: string;
  readonly seed: number;
  readonly requests: readonly Request[];
  /** Where its objects are, and the name of the object that it is about. Others have random names. Both empty if its objects are in several places. */
  readonly collection: string;
  readonly name: string;
  /** Whether a request after one that was answered differently is compared, too. */
  readonly isIndependent?: boolean;
  /** Whether the others are sent only if the first request succeeds. */
  readonly needsFirst?: boolean;
  /** Scenes of one lane run one after another. Default: in any lane. */
  readonly lane?: string;
  /** Whether nothing changes that servers notice later. */
  readonly isSettled?: boolean;
  /** Until when servers have forgotten its objects, in milliseconds after its end. */
  readonly pause?: number;
}

/** Kinds that change what other requests are answered, or are followed by controllers: only dry runs. */
const influential = [
  'ServiceCIDR',
  'CustomResourceDefinition',
  'APIService',
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
];

/** Collections of the namespace default that are never empty. */
const neverEmpty = ['Service', 'Endpoints', 'EndpointSlice', 'ServiceAccount', 'Event', 'ConfigMap', 'Lease'];

const forms = [
  'application/json',
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  'application/json;as=Table;v=v1;g=meta.k8s.io,application/json',
];

/** What writes of subresources may be about. */
const written: Readonly<Record<string, readonly TestValue[]>> = {
  scale: [0, 3, -1, 2 ** 31 - 1, -(2 ** 31)].map((replicas) => ({ spec: { replicas } })),
  resize: [
    { spec: { containers: [{ name: 'c', resources: { requests: { cpu: '1' } } }] } },
    { spec: { containers: [{ name: 'c', resources: { limits: { memory: '1Gi' } }, resizePolicy: [] }] } },
    { spec: { containers: [{ name: 'c', image: 'other' }] } },
    { metadata: { labels: { a: 'b' } } },
  ],
  ephemeralcontainers: [
    { spec: { ephemeralContainers: [{ name: 'e', image: 'i' }] } },
    { spec: { ephemeralContainers: [{ name: 'c', image: 'i' }] } },
    { spec: { ephemeralContainers: [{ name: 'e', image: 'i', ports: [{ containerPort: 80 }] }] } },
    { spec: { ephemeralContainers: [] } },
  ],
  approval: [
    { status: { conditions: [{ type: 'Approved', status: 'True', reason: 'r' }] } },
    { status: { conditions: [{ type: 'Denied', status: 'True' }] } },
    { status: { conditions: [] } },
  ],
  token: [{ spec: { audiences: ['a'] } }, { spec: { audiences: [], expirationSeconds: 700 } }, { spec: { expirationSeconds: 1 } }],
  binding: [
    { target: { kind: 'Node', name: 'n' } },
    { target: { name: '' } },
    { metadata: { annotations: { a: 'b' } }, target: { name: 'n' } },
  ],
  eviction: [
    {},
    { deleteOptions: { dryRun: ['All'] } },
    { deleteOptions: { gracePeriodSeconds: 0 } },
    { deleteOptions: { preconditions: { resourceVersion: '1' } } },
    { deleteOptions: { propagationPolicy: 'Odd' } },
  ],
};

const deleteBodies: readonly TestValue[] = [
  undefined,
  {},
  { gracePeriodSeconds: 0 },
  { gracePeriodSeconds: 30 },
  { gracePeriodSeconds: -1 },
  { gracePeriodSeconds: 2 ** 53 },
  { propagationPolicy: 'Orphan' },
  { propagationPolicy: 'Foreground' },
  { propagationPolicy: 'Background' },
  { propagationPolicy: 'Odd' },
  { propagationPolicy: '' },
  { orphanDependents: true },
  { orphanDependents: false, propagationPolicy: 'Orphan' },
  { preconditions: { uid: 'u' } },
  { preconditions: { resourceVersion: '1' } },
  { preconditions: {} },
  { dryRun: ['All'] },
  { dryRun: ['Odd'] },
  { dryRun: [] },
  { odd: 1 },
  { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: null },
  { kind: 'Pod', apiVersion: 'v1' },
  { ignoreStoreReadErrorWithClusterBreakingPotential: true },
  'x',
  [],
];
/** Members of DeleteOptions, of which a body has several. */
const deleteMembers: readonly TestValue[] = [
  { gracePeriodSeconds: 0 },
  { gracePeriodSeconds: 1 },
  { gracePeriodSeconds: -5 },
  { gracePeriodSeconds: '0' },
  { gracePeriodSeconds: 1.5 },
  { preconditions: { resourceVersion: '{rv}' } },
  { preconditions: { resourceVersion: '' } },
  { preconditions: { resourceVersion: 1 } },
  { preconditions: { uid: '' } },
  { preconditions: { uid: null, resourceVersion: 'x' } },
  { preconditions: null },
  { preconditions: [] },
  { propagationPolicy: 'Orphan' },
  { propagationPolicy: 'Foreground' },
  { propagationPolicy: 'Background' },
  { propagationPolicy: 'foreground' },
  { propagationPolicy: null },
  { propagationPolicy: 1 },
  { orphanDependents: true },
  { orphanDependents: false },
  { orphanDependents: 'true' },
  { dryRun: ['All'] },
  { dryRun: ['All', 'All'] },
  { dryRun: ['All', ''] },
  { dryRun: 'All' },
  { dryRun: null },
  { kind: 'DeleteOptions', apiVersion: 'v1' },
  { kind: 'DeleteOptions', apiVersion: 'apps/v1' },
  { kind: 'DeleteOptions', apiVersion: 'odd/v1' },
  { kind: 'DeleteOptions' },
  { apiVersion: 'meta.k8s.io/v1' },
  { apiVersion: 'a/b/c' },
  { kind: 'Odd', apiVersion: 'v1' },
  { kind: 1 },
  { ignoreStoreReadErrorWithClusterBreakingPotential: false },
  { ignoreStoreReadErrorWithClusterBreakingPotential: 'x' },
  { odd: { a: 1 } },
  { fieldManager: 'a' },
];
const deleteQueries = [
  '',
  '',
  '',
  'gracePeriodSeconds=0',
  'propagationPolicy=Foreground',
  'dryRun=All',
  'dryRun=Odd',
  'orphanDependents=true',
  'gracePeriodSeconds=x',
  'propagationPolicy=Odd',
];
const selections = [
  'labelSelector=a=b',
  'labelSelector=a!=b',
  'labelSelector=a in (b,c)',
  'labelSelector=!a',
  'labelSelector=a>1',
  'labelSelector=a=b=c',
  'labelSelector=,',
  'fieldSelector=metadata.name=x',
  'fieldSelector=metadata.name!=x',
  'fieldSelector=metadata.namespace=default',
  'fieldSelector=odd=x',
  'fieldSelector=metadata.name',
  'limit=1',
  'limit=0',
  'limit=-1',
  'limit=x',
  'limit=1&continue={continue}',
  'continue=x',
  'resourceVersion=0',
  'resourceVersion={rv}',
  'resourceVersion=1',
  'resourceVersion=x',
  'resourceVersion=0&limit=1',
  'resourceVersion={rv}&resourceVersionMatch=Exact',
  'resourceVersion={rv}&resourceVersionMatch=NotOlderThan',
  'resourceVersion=0&resourceVersionMatch=Exact',
  'resourceVersionMatch=Exact',
  'resourceVersion={rv}&resourceVersionMatch=Odd',
  'timeoutSeconds=5',
  'timeoutSeconds=x',
  'sendInitialEvents=true',
  'pretty=true&limit=1',
];
const watches = [
  '',
  '&resourceVersion=0',
  '&resourceVersion={rv}',
  '&resourceVersion=x',
  '&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true',
  '&sendInitialEvents=true',
  '&labelSelector=a=b',
  '&fieldSelector=metadata.name=x',
  '&limit=1',
];

const query = (...parts: readonly string[]): string => {
  const given = parts.filter((part) => part !== '').map((part) => part.replaceAll(' ', '%20').replaceAll('>', '%3E'));
  return given.length === 0 ? '' : `?${given.join('&')}`;
};

/** A copy with the change. */
export function withChange(object: TestValue, { path, value }: Change): TestValue {
  if (path.length === 0) return value;
  const [key, ...rest] = path;
  const copy = Array.isArray(object)
    ? [...object]
    : typeof object === 'object' && object !== null
      ? { ...object }
      : typeof key === 'number'
        ? []
        : {};
  const inner = withChange(copy[key], { path: rest, value });
  if (inner !== undefined) copy[key] = inner;
  else if (Array.isArray(copy)) copy.splice(Number(key), 1);
  else delete copy[key];
  return copy;
}

/** Makes scenes about one kind. */
export class Scenes {
  readonly #subject: Subject;
  readonly #values: SchemaValues;
  readonly #collection: string;
  #random = new Random(0);
  #name = 'x';

  constructor(subject: Subject, text: (name: string, draw: Draw) => string) {
    this.#subject = subject;
    this.#values = new SchemaValues(subject.document, { wild: true, text });
    this.#collection = collectionOf(subject);
  }

  /** The scene of a seed. */
  scene(seed: number): Scene {
    // other requests for each kind
    this.#random = new Random([...this.#subject.title].reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0), seed));
    const { example, title, definition } = this.#subject;
    this.#name = example.metadata.name ?? 'x';
    const requests = [this.#create(), ...(definition.stored ? [] : [this.#create(), this.#create()])];
    if (definition.stored) {
      if (!this.#isInfluential) requests.push(this.#post(this.#named(example)));
      const count = this.#random.between(3, 7);
      for (let at = 0; at < count; at++) requests.push(this.#next());
      requests.push(this.#get());
    }
    return { title, seed, requests, collection: this.#collection, name: this.#name };
  }

  get #isInfluential(): boolean {
    return influential.includes(this.#subject.definition.kind);
  }

  get #path(): string {
    return `${this.#collection}/${this.#name}`;
  }

  readonly #draw: Draw = (max) => this.#random.between(0, max);

  #pick<T>(items: readonly T[]): T {
    return this.#random.pick(items);
  }

  #named(object: TestObject): TestObject {
    return { ...object, metadata: { ...object.metadata, name: this.#name } };
  }

  /** The example, with up to three changed fields. */
  #object(from: TestObject = this.#subject.example): TestObject {
    let object = this.#named(from);
    const count = this.#pick([0, 1, 1, 1, 2, 3]);
    for (let at = 0; at < count; at++) object = withChange(object, this.#values.change(object, this.#subject.definition, this.#draw)) ?? {};
    if (this.#random.chance(0.03)) object = withChange(object, { path: [...this.#pick([['spec'], ['metadata'], []]), 'odd'], value: 1 });
    return object;
  }

  /** What each write may have in its query. */
  #options(): string[] {
    const { chance } = { chance: (probability: number) => this.#random.chance(probability) };
    return [
      this.#isInfluential || chance(0.1) ? 'dryRun=All' : '',
      chance(0.15) ? this.#pick(['fieldManager=a', 'fieldManager=b', 'fieldManager=%01', `fieldManager=${'m'.repeat(129)}`]) : '',
      chance(0.2) ? this.#pick(['fieldValidation=Strict', 'fieldValidation=Strict', 'fieldValidation=Ignore', 'fieldValidation=Odd']) : '',
    ];
  }

  #post(body: TestValue, ...options: string[]): Request {
    return { method: 'POST', path: `${this.#collection}${query(...options)}`, body };
  }

  #create(): Request {
    const object = this.#random.chance(0.1) ? this.#values.object(this.#subject.definition, this.#draw) : this.#object();
    return this.#formed(this.#post(object, ...this.#options()));
  }

  /** Sent in protobuf, and answered in any form, now and then. */
  #formed(given: Request): Request {
    const isWhole = ['POST', 'PUT'].includes(given.method) && given.contentType === undefined;
    const request = isWhole && this.#random.chance(0.12) ? { ...given, contentType: 'application/vnd.kubernetes.protobuf' } : given;
    return this.#random.chance(0.15) ? { ...request, accept: this.#pick(forms) } : request;
  }

  #next(): Request {
    const { verbs, subresources } = this.#subject.definition;
    const ways: (() => Request)[] = [() => this.#get(), () => this.#list()];
    if (verbs.includes('update'))
      ways.push(
        () => this.#put(),
        () => this.#edit(),
      );
    if (verbs.includes('patch'))
      ways.push(
        ...patchTypes.map((type) => () => this.#patch(this.#path, type)),
        () => this.#apply(),
        () => this.#apply(),
      );
    if (verbs.includes('delete')) ways.push(() => this.#delete());
    if (verbs.includes('deletecollection') && this.#random.chance(0.5)) ways.push(() => this.#deleteCollection());
    if (verbs.includes('watch') && this.#random.chance(0.15)) ways.push(() => this.#watch());
    for (const subresource of subresources)
      if (!subresource.connect && subresource.name !== 'log') ways.push(() => this.#subresource(subresource));
    return this.#formed(this.#pick(ways)());
  }

  #get(): Request {
    const path = `${this.#path}${query(this.#random.chance(0.1) ? this.#pick(['resourceVersion=0', 'resourceVersion={rv}', 'resourceVersion=x', 'pretty=true']) : '')}`;
    return { method: 'GET', path, accept: this.#pick(forms) };
  }

  #list(): Request {
    const accept = this.#pick(forms.filter((form) => !form.includes('protobuf') && !form.includes('Partial')));
    return {
      method: 'GET',
      path: `${this.#collection}${query(this.#pick(selections), this.#random.chance(0.3) ? this.#pick(selections) : '')}`,
      accept,
    };
  }

  #watch(): Request {
    return {
      method: 'GET',
      path: `${this.#collection}?watch=true&timeoutSeconds=1${this.#pick(watches)}`,
      accept: this.#pick([forms[0], forms[4]]),
    };
  }

  #put(): Request {
    return { method: 'PUT', path: `${this.#path}${query(...this.#options())}`, body: this.#object() };
  }

  /** What was read is written back with a change or two. */
  #edit(): Request {
    let body: TestObject = {} as TestObject;
    const count = this.#random.between(0, 2);
    for (let at = 0; at < count; at++) {
      const base = merged(this.#subject.example, body);
      const { path, value } = this.#values.change(base, this.#subject.definition, this.#draw);
      if (path.length > 0) body = merged(body, sparse(path, value ?? null));
    }
    return { method: 'PUT', path: `${this.#path}${query(...this.#options())}`, body, edits: this.#path };
  }

  #patch(path: string, type: string): Request {
    const contentType = `application/${type}`;
    if (type.startsWith('apply')) return this.#apply(path);
    const object = this.#named(this.#subject.example);
    const change = this.#values.change(object, this.#subject.definition, this.#draw);
    const full = `${path}${query(...this.#options())}`;
    if (type.startsWith('json')) {
      const pointer = change.path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
      const { value } = change;
      const operations: TestValue[] = [
        value === undefined ? { op: 'remove', path: pointer } : { op: this.#pick(['add', 'add', 'replace', 'test']), path: pointer, value },
      ];
      if (this.#random.chance(0.1)) operations.push({ op: this.#pick(['copy', 'move']), from: pointer, path: '/metadata/annotations/a' });
      return { method: 'PATCH', path: full, contentType, body: operations };
    }
    const after = withChange(object, change);
    return {
      method: 'PATCH',
      path: full,
      contentType,
      body: mergePatch(after, change, type.startsWith('strategic') ? this.#draw : undefined),
    };
  }

  #apply(path = this.#path): Request {
    let body = this.#object();
    // a part of the object
    if (this.#random.chance(0.4)) {
      const keys = Object.keys(body.spec ?? {});
      if (keys.length > 0) body = { ...body, spec: Object.fromEntries(Object.entries(body.spec).filter(() => this.#random.chance(0.6))) };
    }
    const manager = this.#pick(['fieldManager=a', 'fieldManager=b', '']);
    const isForced = this.#random.chance(0.4) ? 'force=true' : '';
    const dry = this.#isInfluential ? 'dryRun=All' : '';
    return { method: 'PATCH', path: `${path}${query(manager, isForced, dry)}`, contentType: 'application/apply-patch+yaml', body };
  }

  #delete(): Request {
    const path = `${this.#path}${query(this.#isInfluential ? 'dryRun=All' : '', this.#pick(deleteQueries))}`;
    return { method: 'DELETE', path, body: this.#deleteBody() };
  }

  /** Options as the whole body, or one made of several members. */
  #deleteBody(): TestValue {
    if (this.#random.chance(0.5)) return this.#pick(deleteBodies);
    const members = Array.from({ length: this.#random.between(1, 3) }, () => this.#pick(deleteMembers));
    return Object.assign({}, ...members);
  }

  #deleteCollection(): Request {
    const { definition } = this.#subject;
    const isSafe = definition.namespaced && !neverEmpty.includes(definition.kind);
    const wanted = isSafe ? this.#pick(['', 'labelSelector=a=b', 'limit=1']) : 'fieldSelector=metadata.name=x';
    const path = `${this.#collection}${query(wanted, this.#isInfluential ? 'dryRun=All' : '', this.#pick(deleteQueries))}`;
    return { method: 'DELETE', path, body: this.#deleteBody() };
  }

  #subresource({ name, gvk, verbs }: Subject['definition']['subresources'][number]): Request {
    const path = `${this.#path}/${name}`;
    const isOwn = gvk.kind === this.#subject.definition.kind;
    const verb = this.#pick(verbs);
    if (verb === 'get') return { method: 'GET', path, accept: this.#pick(forms.filter((form) => isOwn || !form.includes('protobuf'))) };
    const full = `${path}${query(...this.#options())}`;
    const known = written[name];
    const about = this.#random.chance(0.8) && known !== undefined ? this.#pick(known) : undefined;
    const object = (): TestObject => (isOwn ? this.#object() : this.#values.object(gvk, this.#draw));
    if (verb === 'patch') {
      if (about === undefined || this.#random.chance(0.2))
        return isOwn ? this.#patch(path, this.#pick(patchTypes)) : this.#mergeInto(full, object());
      const contentType = this.#pick([
        'application/merge-patch+json',
        'application/strategic-merge-patch+json',
        'application/apply-patch+yaml',
      ]);
      const { group, version, kind } = gvk;
      const type = { apiVersion: group === '' ? version : `${group}/${version}`, kind };
      const isApply = contentType.includes('apply');
      return {
        method: 'PATCH',
        path: isApply ? `${path}?fieldManager=${this.#pick(['a', 'b'])}&force=${this.#pick(['true', 'false'])}` : full,
        contentType,
        body: isApply ? { ...type, ...about } : about,
      };
    }
    if (verb === 'create') return { method: 'POST', path: full, body: about ?? object() };
    if (about !== undefined || this.#random.chance(0.5)) {
      const edits = verbs.includes('get') ? path : this.#path;
      return { method: 'PUT', path: full, body: about ?? statusOf(object()), edits };
    }
    return { method: 'PUT', path: full, body: object() };
  }

  #mergeInto(path: string, body: TestObject): Request {
    return { method: 'PATCH', path, contentType: 'application/merge-patch+json', body };
  }
}

const statusOf = ({ status = {} }: TestObject): TestValue => ({ status });

/** An object that has only the value at the path; items of lists stand alone. */
function sparse(path: readonly (string | number)[], value: TestValue): TestValue {
  if (path.length === 0) return value;
  const [key, ...rest] = path;
  if (typeof key !== 'number') return { [key]: sparse(rest, value) };
  const list: TestValue[] = [];
  list[key] = sparse(rest, value);
  return Array.from(list, (item) => item ?? {});
}

/** The patch with which a change is made; a list is whole, or has only the changed item if directives of items may be drawn. */
function mergePatch(after: TestValue, { path, value }: Change, draw?: Draw): TestValue {
  if (path.length === 0) return value ?? null;
  const [key, ...rest] = path;
  const inner = after?.[key];
  if (typeof rest[0] === 'number' && Array.isArray(inner)) {
    if (draw === undefined) return { [key]: inner };
    const item = inner[rest[0]] ?? inner[0];
    if (typeof item !== 'object' || item === null) return { [key]: inner };
    const directives = [{}, {}, {}, {}, { $patch: 'delete' }, { $patch: 'replace' }, { $retainKeys: Object.keys(item) }];
    return { [key]: [{ ...item, ...directives[draw(directives.length - 1)] }] };
  }
  return { [key]: mergePatch(inner, { path: rest, value }, draw) };
}
