import { makeCertificateRequest } from '../../support/certificate-request.ts';
import type { Random } from '../../support/random.ts';
import type { TestValue } from '../../support/test-object.ts';

/** A request that is sent to all clusters. */
export interface Step {
  readonly method: string;
  readonly path: string;
  readonly body?: TestValue;
  /** Default: application/json. */
  readonly contentType?: string;
}

const mergePatch = 'application/merge-patch+json';
const images = ['registry.example/app:1', 'registry.example/app:2', 'registry.example/app:3'];
const api: Readonly<Record<string, string>> = {
  deployments: '/apis/apps/v1',
  statefulsets: '/apis/apps/v1',
  daemonsets: '/apis/apps/v1',
  replicasets: '/apis/apps/v1',
  jobs: '/apis/batch/v1',
  cronjobs: '/apis/batch/v1',
  horizontalpodautoscalers: '/apis/autoscaling/v2',
  poddisruptionbudgets: '/apis/policy/v1',
};

/** The kinds of objects whose controllers make other objects or statuses. */
type Resource =
  | 'deployments'
  | 'statefulsets'
  | 'daemonsets'
  | 'replicasets'
  | 'replicationcontrollers'
  | 'jobs'
  | 'cronjobs'
  | 'horizontalpodautoscalers'
  | 'poddisruptionbudgets'
  | 'services'
  | 'endpoints'
  | 'resourcequotas'
  | 'persistentvolumeclaims'
  | 'pods'
  | 'configmaps'
  | 'secrets'
  | 'serviceaccounts';

interface NamedObject {
  readonly metadata: { readonly name: string; readonly [field: string]: TestValue };
  readonly [field: string]: TestValue;
}

/** A weighted choice: its weight, and the steps that it makes. */
type Choice = readonly [weight: number, make: () => readonly Step[]];

/** Random steps of many users. The same seed makes the same steps. */
export class Workload {
  readonly #random: Random;
  /** Existing objects by namespace and resource. */
  readonly #objects = new Map<string, Map<Resource, Set<string>>>();
  #count = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  /** The steps before the others: namespaces, and what has none. */
  start(): readonly Step[] {
    return [...['a', 'b', 'c'].flatMap((name) => this.#createNamespace(`w-${name}`)), ...this.#clusterScoped()];
  }

  /** Returns the steps of the next action. */
  next(): readonly Step[] {
    const choices: readonly Choice[] = [
      [10, () => this.#createWorkload()],
      [10, () => this.#changeWorkload()],
      [5, () => this.#deleteWorkload()],
      [4, () => this.#createSupport()],
      [3, () => this.#deleteSupport()],
      [2, () => this.#collectGarbage()],
      [1, () => this.#replaceNamespace()],
      [1, () => this.#requestCertificate()],
      [1, () => this.#aggregateRoles()],
      [1, () => this.#taintNode()],
    ];
    for (;;) {
      const steps = this.#choose(choices)();
      if (steps.length > 0) return steps;
    }
  }

  /** The steps after the others. They end what never ends. */
  end(): readonly Step[] {
    return this.#nodes.map((node) => this.#patch(`/api/v1/nodes/${node}`, { spec: { taints: null, unschedulable: null } }));
  }

  #choose(choices: readonly Choice[]): Choice[1] {
    let at = this.#random.next() * choices.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, make] of choices) {
      at -= weight;
      if (at < 0) return make;
    }
    return choices[0][1];
  }

  readonly #nodes = ['kubeloom-node-0', 'kubeloom-node-1', 'kubeloom-node-2'];

  #name(prefix: string): string {
    return `${prefix}-${this.#count++}`;
  }

  #namespace(): string {
    return this.#random.pick([...this.#objects.keys()]);
  }

  #of(namespace: string, resource: Resource): Set<string> {
    const resources = this.#objects.get(namespace) as Map<Resource, Set<string>>;
    let names = resources.get(resource);
    if (names === undefined) {
      names = new Set();
      resources.set(resource, names);
    }
    return names;
  }

  /** Returns an existing object of one of the resources. */
  #existing(
    resources: readonly Resource[],
  ): { readonly namespace: string; readonly resource: Resource; readonly name: string } | undefined {
    const all = [...this.#objects].flatMap(([namespace, byResource]) =>
      resources.flatMap((resource) => [...(byResource.get(resource) ?? [])].map((name) => ({ namespace, resource, name }))),
    );
    return all.length === 0 ? undefined : this.#random.pick(all);
  }

  #create(namespace: string, resource: Resource, object: NamedObject): Step {
    this.#of(namespace, resource).add(object.metadata.name);
    return { method: 'POST', path: collectionOf(namespace, resource), body: object };
  }

  #patch(path: string, body: TestValue): Step {
    return { method: 'PATCH', path, body, contentType: mergePatch };
  }

  #delete(namespace: string, resource: Resource, name: string, options?: TestValue): Step {
    this.#of(namespace, resource).delete(name);
    return { method: 'DELETE', path: `${collectionOf(namespace, resource)}/${name}`, body: options };
  }

  #template(app: string, spec: TestValue = {}, annotations: TestValue = {}): TestValue {
    const container = { name: 'c', image: this.#random.pick(images), resources: { requests: { cpu: '10m', memory: '10Mi' } } };
    return { metadata: { labels: { app }, annotations }, spec: { terminationGracePeriodSeconds: 1, containers: [container], ...spec } };
  }

  #createWorkload(): readonly Step[] {
    const random = this.#random;
    const namespace = this.#namespace();
    const replicas = random.between(0, 4);
    const resource = random.pick([
      'deployments',
      'deployments',
      'statefulsets',
      'daemonsets',
      'replicasets',
      'replicationcontrollers',
      'jobs',
      'jobs',
      'cronjobs',
      'pods',
    ] as const);
    const name = this.#name(resource.slice(0, 3));
    const metadata = { name, labels: { made: 'yes' } };
    const selector = { matchLabels: { app: name } };
    const template = this.#template(name) as { readonly spec: TestValue };
    const spec: Readonly<Record<typeof resource, () => TestValue>> = {
      deployments: () => ({
        replicas,
        selector,
        template,
        revisionHistoryLimit: random.between(0, 2),
        strategy: random.pick([
          { type: 'Recreate' },
          { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
          { type: 'RollingUpdate', rollingUpdate: { maxSurge: '50%', maxUnavailable: '50%' } },
        ]),
      }),
      statefulsets: () => ({
        replicas,
        selector,
        template,
        serviceName: 'none',
        podManagementPolicy: random.pick(['OrderedReady', 'Parallel']),
        persistentVolumeClaimRetentionPolicy: { whenDeleted: random.pick(['Delete', 'Retain']), whenScaled: 'Retain' },
        ...(random.chance(0.4) && { volumeClaimTemplates: [claim('data')] }),
      }),
      daemonsets: () => ({
        selector,
        template: random.chance(0.3) ? this.#template(name, { nodeSelector: { 'kubernetes.io/hostname': this.#nodes[1] } }) : template,
        updateStrategy: random.pick([{ type: 'OnDelete' }, { type: 'RollingUpdate' }]),
      }),
      replicasets: () => ({ replicas, selector, template }),
      replicationcontrollers: () => ({ replicas, selector: { app: name }, template }),
      jobs: () => this.#job(name),
      cronjobs: () => ({
        schedule: random.pick(['* * * * *', '*/2 * * * *', '0 0 1 1 *']),
        suspend: random.chance(0.2),
        concurrencyPolicy: random.pick(['Allow', 'Forbid', 'Replace']),
        jobTemplate: { spec: this.#job(undefined) },
      }),
      pods: () => template.spec,
    };
    const labelled = resource === 'pods' ? { ...metadata, labels: { app: name } } : metadata;
    const object = { metadata: labelled, spec: spec[resource]() };
    const step = this.#create(namespace, resource, object);
    // it deletes itself
    if ('ttlSecondsAfterFinished' in object.spec) this.#of(namespace, resource).delete(name);
    return [step];
  }

  /** @param app undefined for the jobs of a cron job */
  #job(app: string | undefined): TestValue {
    const random = this.#random;
    const fails = random.chance(0.3);
    const annotations = {
      'simulation.kubeloom.dev/run-for': random.pick(['0s', '1s', '3s']),
      ...(fails && { 'simulation.kubeloom.dev/exit-code': '1' }),
    };
    const completions = random.between(1, 3);
    // an evicted pod counts as failed, unless it has ended before
    const tolerations = [{ key: 'w', operator: 'Exists' }];
    return {
      completions,
      // all at once may fail before the job does
      parallelism: fails ? 1 : random.between(1, 3),
      backoffLimit: 0,
      completionMode: random.pick(['NonIndexed', 'Indexed']),
      suspend: app !== undefined && random.chance(0.1),
      ...(random.chance(0.3) && { ttlSecondsAfterFinished: 3 }),
      template: this.#template(app ?? 'cron', { restartPolicy: 'Never', tolerations }, annotations),
    };
  }

  #changeWorkload(): readonly Step[] {
    const random = this.#random;
    const found = this.#existing([
      'deployments',
      'statefulsets',
      'daemonsets',
      'replicasets',
      'replicationcontrollers',
      'jobs',
      'cronjobs',
    ]);
    if (found === undefined) return [];
    const { namespace, resource, name } = found;
    const path = `${collectionOf(namespace, resource)}/${name}`;
    const scale = (): readonly Step[] => [this.#patch(`${path}/scale`, { spec: { replicas: random.between(0, 5) } })];
    const update = (): readonly Step[] => [
      this.#patch(path, { spec: { template: { metadata: { annotations: { change: String(this.#count++) } } } } }),
    ];
    const suspend = (): readonly Step[] => [this.#patch(path, { spec: { suspend: random.chance(0.3) } })];
    const pause = (): readonly Step[] => [this.#patch(path, { spec: { paused: random.chance(0.2) } })];
    const relabel = (): readonly Step[] => [this.#patch(path, { metadata: { labels: { change: String(this.#count++) } } })];
    switch (resource) {
      case 'deployments':
        return random.pick([scale, update, update, pause, relabel])();
      case 'statefulsets':
        return random.pick([scale, update, relabel])();
      case 'daemonsets':
        return random.pick([update, relabel])();
      case 'replicasets':
      case 'replicationcontrollers':
        return random.pick([scale, relabel])();
      case 'jobs':
        return [this.#patch(path, { spec: { suspend: false } })];
      default:
        return suspend();
    }
  }

  #deleteWorkload(): readonly Step[] {
    const found = this.#existing([
      'deployments',
      'statefulsets',
      'daemonsets',
      'replicasets',
      'replicationcontrollers',
      'jobs',
      'cronjobs',
      'pods',
    ]);
    if (found === undefined) return [];
    const { namespace, resource, name } = found;
    const propagationPolicy = this.#random.pick(['Background', 'Background', 'Foreground', 'Orphan']);
    return [this.#delete(namespace, resource, name, { propagationPolicy })];
  }

  /** Creates an object that controllers keep a status for, or that other objects need. */
  #createSupport(): readonly Step[] {
    const random = this.#random;
    const target = this.#existing(['deployments', 'statefulsets']);
    const namespace = target?.namespace ?? this.#namespace();
    const app = target?.name ?? 'none';
    const makers: readonly (() => Step)[] = [
      () => {
        const name = this.#name('svc');
        const ports = [{ port: 80, targetPort: 8080 }];
        const spec = random.pick([
          { selector: { app }, ports },
          { selector: { app }, ports, clusterIP: 'None' },
          { selector: { app }, ports, publishNotReadyAddresses: true },
          { type: 'ExternalName', externalName: 'example.com' },
        ]);
        return this.#create(namespace, 'services', { metadata: { name }, spec });
      },
      () => {
        const metadata = { name: this.#name('ends') };
        const subsets = [{ addresses: [{ ip: '192.0.2.7' }, { ip: '192.0.2.8' }], ports: [{ port: 80 }] }];
        return this.#create(namespace, 'endpoints', { metadata, subsets });
      },
      () => {
        const spec = { selector: { matchLabels: { app } }, ...random.pick([{ minAvailable: 1 }, { maxUnavailable: '50%' }]) };
        return this.#create(namespace, 'poddisruptionbudgets', { metadata: { name: this.#name('pdb') }, spec });
      },
      () => {
        const spec = { hard: { pods: '40', 'requests.cpu': '4', configmaps: '100', 'count/deployments.apps': '20' } };
        return this.#create(namespace, 'resourcequotas', { metadata: { name: this.#name('quota') }, spec });
      },
      () => {
        const object = claim(this.#name('claim'));
        return this.#create(namespace, 'persistentvolumeclaims', object);
      },
      () => {
        const metadata = { name: this.#name('token'), annotations: { 'kubernetes.io/service-account.name': 'default' } };
        return this.#create(namespace, 'secrets', { metadata, type: 'kubernetes.io/service-account-token' });
      },
      () => this.#create(namespace, 'serviceaccounts', { metadata: { name: this.#name('account') } }),
      () => this.#create(namespace, 'configmaps', { metadata: { name: this.#name('map') }, data: { a: 'b' } }),
    ];
    const autoscale = (): Step => {
      const scaleTargetRef = { apiVersion: 'apps/v1', kind: target?.resource === 'statefulsets' ? 'StatefulSet' : 'Deployment', name: app };
      const spec = { scaleTargetRef, minReplicas: random.between(1, 3), maxReplicas: random.between(3, 4) };
      return this.#create(namespace, 'horizontalpodautoscalers', { metadata: { name: this.#name('hpa') }, spec });
    };
    return [random.pick(target === undefined ? makers : [...makers, autoscale])()];
  }

  #deleteSupport(): readonly Step[] {
    const found = this.#existing([
      'services',
      'endpoints',
      'poddisruptionbudgets',
      'horizontalpodautoscalers',
      'resourcequotas',
      'persistentvolumeclaims',
      'secrets',
      'serviceaccounts',
      'configmaps',
    ]);
    return found === undefined ? [] : [this.#delete(found.namespace, found.resource, found.name)];
  }

  /** Creates an owner with dependents, and deletes it. */
  #collectGarbage(): readonly Step[] {
    const namespace = this.#namespace();
    const [owner, dependent] = [this.#name('owner'), this.#name('dependent')];
    const propagationPolicy = this.#random.pick(['Background', 'Foreground', 'Orphan']);
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: owner, uid: '{uid}', blockOwnerDeletion: true }];
    const create = (name: string, more: TestValue = {}): Step => this.#create(namespace, 'configmaps', { metadata: { name, ...more } });
    const steps = [
      create(owner),
      create(dependent, { ownerReferences }),
      this.#delete(namespace, 'configmaps', owner, { propagationPolicy }),
    ];
    if (propagationPolicy !== 'Orphan') this.#of(namespace, 'configmaps').delete(dependent);
    return steps;
  }

  #createNamespace(name: string): readonly Step[] {
    this.#objects.set(name, new Map());
    return [
      { method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name, labels: { made: 'yes' } } } },
      { method: 'WAIT', path: `/api/v1/namespaces/${name}/serviceaccounts/default` },
    ];
  }

  #replaceNamespace(): readonly Step[] {
    const name = this.#random.pick([...this.#objects.keys()]);
    this.#objects.delete(name);
    return [{ method: 'DELETE', path: `/api/v1/namespaces/${name}` }, ...this.#createNamespace(this.#name('w'))];
  }

  #requestCertificate(): readonly Step[] {
    const name = this.#name('csr');
    const { request } = makeCertificateRequest({ commonName: 'user' });
    const path = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
    const signerName = 'kubernetes.io/kube-apiserver-client';
    const condition = { type: this.#random.pick(['Approved', 'Denied']), status: 'True', reason: 'Chosen', message: 'by chance' };
    return [
      { method: 'POST', path, body: { metadata: { name }, spec: { request, signerName, usages: ['client auth'] } } },
      this.#patch(`${path}/${name}/approval`, { status: { conditions: [condition] } }),
    ];
  }

  #aggregateRoles(): readonly Step[] {
    const name = this.#name('role');
    const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }];
    const path = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
    return [{ method: 'POST', path, body: { metadata: { name, labels: { 'w-part': 'yes' } }, rules } }];
  }

  /** Cordons a node, or drives its pods away, or ends that. */
  #taintNode(): readonly Step[] {
    const node = this.#random.pick(this.#nodes);
    const spec = this.#random.pick([
      { unschedulable: true },
      { unschedulable: null },
      { taints: [{ key: 'w', value: 'x', effect: 'NoExecute' }] },
      { taints: null },
    ]);
    return [this.#patch(`/api/v1/nodes/${node}`, { spec })];
  }

  #clusterScoped(): readonly Step[] {
    const rbac = '/apis/rbac.authorization.k8s.io/v1';
    const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { 'w-part': 'yes' } }] };
    return [
      ...this.#nodes.map((node) => ({ method: 'WAIT', path: `/api/v1/nodes/${node}` })),
      { method: 'POST', path: `${rbac}/clusterroles`, body: { metadata: { name: 'w-whole' }, aggregationRule, rules: [] } },
    ];
  }
}

const claim = (name: string): NamedObject => ({
  metadata: { name },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
});

function collectionOf(namespace: string, resource: Resource): string {
  return `${api[resource] ?? '/api/v1'}/namespaces/${namespace}/${resource}`;
}
