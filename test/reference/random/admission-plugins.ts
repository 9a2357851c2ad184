import { makeCertificateRequest } from '../../support/certificate-request.ts';
import type { TestValue } from '../../support/test-object.ts';
import type { Request } from './exchange.ts';
import { Choices } from './random-objects.ts';
import type { Scene } from './scenes.ts';

const merge = 'application/merge-patch+json';
const core = '/api/v1/namespaces';

const post = (path: string, body: TestValue): Request => ({ method: 'POST', path, body });
const patch = (path: string, body: TestValue): Request => ({ method: 'PATCH', path, contentType: merge, body });

const quantities = ['0', '1', '100m', '500m', '2', '64Mi', '1Gi', '5Gi', '1500m', '1e3'];
const certificates = ['x', 'system:node:n'].map(
  (commonName) => makeCertificateRequest({ commonName, organizations: ['system:masters', 'system:nodes'] }).request,
);
const { request: plainCertificate } = makeCertificateRequest({ commonName: 'x' });

/** Scenes about the admission plugins that have no configuration but objects. */
export class PluginScenes {
  readonly #random: Choices;
  readonly #seed: number;

  constructor(seed: number) {
    this.#seed = seed;
    this.#random = new Choices(seed);
  }

  scenes(): readonly Scene[] {
    return [
      this.#scene('quota', this.#quotas(), 25, () => this.#counted('admission')),
      this.#scene('limits', this.#limits(), 20, () => this.#limited()),
      this.#scene('pods', this.#podClasses(), 20, () => this.#pod()),
      this.#scene('security', this.#levels(), 20, () => this.#secured()),
      this.#scene('storage', this.#storageClasses(), 15, () => this.#storage()),
      this.#scene('others', this.#others(), 20, () => this.#other()),
    ];
  }

  #scene(title: string, given: readonly Request[], count: number, next: () => Request): Scene {
    const requests = [...given];
    for (let at = 0; at < count; at++) requests.push(next());
    return { title, feature: 'admission plugins', seed: this.#seed, requests, collection: '', name: '', isIndependent: true };
  }

  #dry(probability = 0.7): string {
    return this.#random.chance(probability) ? '?dryRun=All' : '';
  }

  #resources(): TestValue {
    const random = this.#random;
    const some = (): TestValue => ({
      ...random.maybe(0.6, () => ({ cpu: random.pick(quantities) })),
      ...random.maybe(0.6, () => ({ memory: random.pick(quantities) })),
      ...random.maybe(0.15, () => ({ 'ephemeral-storage': random.pick(quantities) })),
      ...random.maybe(0.05, () => ({ 'x.io/gpu': random.pick(['1', '2']) })),
      ...random.maybe(0.05, () => ({ 'hugepages-2Mi': '2Mi' })),
    });
    return { ...random.maybe(0.7, () => ({ requests: some() })), ...random.maybe(0.6, () => ({ limits: some() })) };
  }

  #podSpec(): TestValue {
    const random = this.#random;
    const containers = Array.from({ length: random.between(1, 2) }, (_, at) => ({
      name: `c${at}`,
      image: 'i',
      resources: this.#resources(),
    }));
    return {
      containers,
      ...random.maybe(0.15, () => ({
        initContainers: [{ name: 'init', image: 'i', resources: this.#resources(), ...random.maybe(0.4, { restartPolicy: 'Always' }) }],
      })),
      ...random.maybe(0.15, () => ({ activeDeadlineSeconds: 60 })),
      ...random.maybe(0.1, () => ({ overhead: { cpu: '1' } })),
      ...random.maybe(0.1, () => ({ resources: this.#resources() })),
    };
  }

  /** Quotas with the status that a controller would have written. */
  #quotas(): Request[] {
    const random = this.#random;
    const requests: Request[] = [];
    for (let at = 0; at < random.between(1, 3); at++) {
      const hard = Object.fromEntries(
        random
          .some(
            [
              'pods',
              'configmaps',
              'services',
              'secrets',
              'cpu',
              'memory',
              'requests.cpu',
              'limits.cpu',
              'requests.memory',
              'limits.memory',
              'persistentvolumeclaims',
              'requests.storage',
              'requests.ephemeral-storage',
              'gold.storageclass.storage.k8s.io/requests.storage',
              'gold.storageclass.storage.k8s.io/persistentvolumeclaims',
              'count/deployments.apps',
              'count/configmaps',
              'count/pods',
              'services.nodeports',
              'services.loadbalancers',
              'requests.x.io/gpu',
              'hugepages-2Mi',
              'resourcequotas',
              'replicationcontrollers',
            ],
            4,
          )
          .map((name) => [name, random.pick(['0', '1', '2', '1Gi', '5'])]),
      );
      const scopes = random.maybe(0.35, () =>
        random.chance(0.5)
          ? { scopes: random.some(['Terminating', 'NotTerminating', 'BestEffort', 'NotBestEffort', 'CrossNamespacePodAffinity'], 2) }
          : {
              scopeSelector: {
                matchExpressions: [
                  random.pick<TestValue>([
                    { scopeName: 'PriorityClass', operator: 'In', values: ['high'] },
                    { scopeName: 'PriorityClass', operator: 'Exists' },
                    { scopeName: 'PriorityClass', operator: 'NotIn', values: ['high'] },
                    { scopeName: 'BestEffort', operator: 'Exists' },
                    { scopeName: 'VolumeAttributesClass', operator: 'Exists' },
                    { scopeName: 'Terminating', operator: 'In', values: ['x'] },
                  ]),
                ],
              },
            },
      );
      const path = `${core}/admission/resourcequotas`;
      requests.push(post(path, { metadata: { name: `q${at}` }, spec: { hard, ...scopes } }));
      const used = Object.fromEntries(Object.keys(hard).map((name) => [name, '0']));
      requests.push(patch(`${path}/q${at}/status`, { status: { hard, used } }));
    }
    return requests;
  }

  #counted(namespace: string): Request {
    const random = this.#random;
    const dry = this.#dry();
    const ports = [{ port: 80 }, ...(random.chance(0.4) ? [{ port: 81, name: 'b', targetPort: 1 }] : [])];
    const base = `${core}/${namespace}`;
    const metadata = { generateName: 'x-' };
    return random.pick<Request>([
      post(`${base}/pods${dry}`, {
        metadata,
        spec: {
          ...this.#podSpec(),
          ...random.maybe(0.3, { priorityClassName: 'high' }),
          ...random.maybe(0.1, {
            affinity: {
              podAffinity: {
                requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'k', namespaces: ['other'], labelSelector: {} }],
              },
            },
          }),
        },
      }),
      post(`${base}/pods${dry}`, { metadata, spec: this.#podSpec() }),
      post(`${base}/configmaps${dry}`, { metadata }),
      post(`${base}/secrets${dry}`, { metadata }),
      post(`${base}/services${dry}`, {
        metadata,
        spec: {
          type: random.pick(['ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName']),
          externalName: 'x.io',
          ports: ports.map(({ port, ...rest }) => ({ ...rest, name: `p${port}`, port })),
          ...random.maybe(0.3, { allocateLoadBalancerNodePorts: false }),
        },
      }),
      post(`${base}/persistentvolumeclaims${dry}`, {
        metadata,
        spec: {
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: random.pick(['1Gi', '10Gi', '1']) } },
          ...random.maybe(0.6, () => ({ storageClassName: random.pick(['gold', 'silver', '']) })),
          ...random.maybe(0.2, { volumeAttributesClassName: 'v' }),
        },
      }),
      post(`/apis/apps/v1/namespaces/${namespace}/deployments${dry}`, {
        metadata,
        spec: { selector: { matchLabels: { l: 'm' } }, template: { metadata: { labels: { l: 'm' } }, spec: this.#podSpec() } },
      }),
      post(`${base}/resourcequotas${dry}`, { metadata, spec: { hard: { pods: '1' } } }),
      post(`${base}/replicationcontrollers${dry}`, {
        metadata,
        spec: {
          replicas: 0,
          selector: { l: 'm' },
          template: { metadata: { labels: { l: 'm' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
        },
      }),
      { method: 'GET', path: `${base}/resourcequotas` },
      { method: 'GET', path: `${base}/resourcequotas` },
      { method: 'DELETE', path: `${base}/configmaps?dryRun=All` },
    ]);
  }

  #limits(): Request[] {
    const random = this.#random;
    const values = (): TestValue =>
      Object.fromEntries(random.some(['cpu', 'memory', 'ephemeral-storage', 'storage'], 2).map((name) => [name, random.pick(quantities)]));
    const item = (): TestValue => {
      const type = random.pick(['Container', 'Container', 'Pod', 'PersistentVolumeClaim', 'x.io/odd']);
      return {
        type,
        ...random.maybe(0.5, () => ({ max: values() })),
        ...random.maybe(0.4, () => ({ min: values() })),
        ...(type === 'Container' || random.chance(0.05)
          ? { ...random.maybe(0.5, () => ({ default: values() })), ...random.maybe(0.5, () => ({ defaultRequest: values() })) }
          : {}),
        ...random.maybe(0.25, () => ({ maxLimitRequestRatio: { [random.pick(['cpu', 'memory'])]: random.pick(['1', '2', '1500m']) } })),
      };
    };
    return Array.from({ length: random.between(1, 3) }, (_, at) =>
      post(`${core}/admission/limitranges`, {
        metadata: { name: `l${at}` },
        spec: { limits: Array.from({ length: random.between(1, 2) }, item) },
      }),
    );
  }

  #limited(): Request {
    const random = this.#random;
    const base = `${core}/admission`;
    return random.pick<Request>([
      post(`${base}/pods?dryRun=All`, { metadata: { name: 'x' }, spec: this.#podSpec() }),
      post(`${base}/pods?dryRun=All`, { metadata: { name: 'x' }, spec: this.#podSpec() }),
      post(`${base}/pods?dryRun=All`, { metadata: { name: 'x' }, spec: this.#podSpec() }),
      post(`${base}/persistentvolumeclaims?dryRun=All`, {
        metadata: { name: 'x' },
        spec: {
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: random.pick(quantities) }, ...random.maybe(0.3, { limits: { storage: '5Gi' } }) },
        },
      }),
      patch(`${base}/pods/pod?dryRun=All`, { metadata: { labels: { b: 'c' } } }),
      patch(`${base}/pods/pod/resize?dryRun=All`, { spec: { containers: [{ name: 'c', image: 'i', resources: this.#resources() }] } }),
      post(`/apis/apps/v1/namespaces/admission/deployments?dryRun=All`, {
        metadata: { name: 'x' },
        spec: { selector: { matchLabels: { l: 'm' } }, template: { metadata: { labels: { l: 'm' } }, spec: this.#podSpec() } },
      }),
    ]);
  }

  #podClasses(): Request[] {
    const random = this.#random;
    return [
      post('/apis/scheduling.k8s.io/v1/priorityclasses', {
        metadata: { name: 'high' },
        value: random.between(1, 1000),
        ...random.maybe(0.5, { preemptionPolicy: 'Never' }),
      }),
      ...(random.chance(0.5)
        ? [
            post('/apis/scheduling.k8s.io/v1/priorityclasses', {
              metadata: { name: 'usual' },
              value: random.between(-5, 5),
              globalDefault: true,
            }),
          ]
        : []),
      post('/apis/scheduling.k8s.io/v1/priorityclasses?dryRun=All', {
        metadata: { name: 'second' },
        value: 1,
        globalDefault: random.chance(0.5),
      }),
      post('/apis/node.k8s.io/v1/runtimeclasses', {
        metadata: { name: 'fast' },
        handler: 'h',
        ...random.maybe(0.7, () => ({ overhead: { podFixed: { cpu: random.pick(quantities) } } })),
        ...random.maybe(0.7, () => ({
          scheduling: {
            nodeSelector: { a: random.pick(['b', 'c']) },
            tolerations: [
              { key: 't', operator: 'Exists' },
              { operator: 'Exists', effect: 'NoSchedule' },
            ],
          },
        })),
      }),
      ...random
        .some(['robot', 'token', 'pull'], 2)
        .filter((name, at, all) => all.indexOf(name) === at)
        .map((name) =>
          post(`${core}/admission/serviceaccounts`, {
            metadata: { name, ...random.maybe(0.3, { annotations: { 'kubernetes.io/enforce-mountable-secrets': 'true' } }) },
            ...random.maybe(0.4, () => ({ automountServiceAccountToken: random.chance(0.5) })),
            ...random.maybe(0.4, { imagePullSecrets: [{ name: 'pull' }] }),
            ...random.maybe(0.3, { secrets: [{ name: 's' }] }),
          }),
        ),
    ];
  }

  #pod(): Request {
    const random = this.#random;
    const spec = {
      containers: [
        {
          name: 'c',
          image: 'i',
          ...random.maybe(0.2, { volumeMounts: [{ name: 'v', mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' }] }),
          ...random.maybe(0.2, { env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 't', key: 'k' } } }] }),
        },
      ],
      ...random.maybe(0.4, () => ({
        priorityClassName: random.pick(['high', 'usual', 'absent', 'system-node-critical', 'system-cluster-critical', '']),
      })),
      ...random.maybe(0.15, () => ({ priority: random.pick([0, 10, 2000001000]) })),
      ...random.maybe(0.15, () => ({ preemptionPolicy: random.pick(['Never', 'PreemptLowerPriority']) })),
      ...random.maybe(0.35, () => ({ runtimeClassName: random.pick(['fast', 'fast', 'absent']) })),
      ...random.maybe(0.2, () => ({ overhead: { cpu: random.pick(quantities) } })),
      ...random.maybe(0.3, () => ({ nodeSelector: { a: random.pick(['b', 'c']) } })),
      ...random.maybe(0.4, () => ({ serviceAccountName: random.pick(['robot', 'token', 'pull', 'absent', 'default']) })),
      ...random.maybe(0.1, () => ({ serviceAccount: 'default' })),
      ...random.maybe(0.3, () => ({ automountServiceAccountToken: random.chance(0.5) })),
      ...random.maybe(0.2, () => ({ imagePullSecrets: [{ name: random.pick(['pull', 'mine']) }] })),
      ...random.maybe(0.3, () => ({
        tolerations: random.some<TestValue>(
          [
            { key: 't', operator: 'Exists' },
            { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 },
            { operator: 'Exists' },
            { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists' },
          ],
          2,
        ),
      })),
      ...random.maybe(0.3, { volumes: [{ name: 'v', secret: { secretName: 't' } }] }),
    };
    const annotations = random.maybe(0.15, () => ({
      annotations: random.pick<TestValue>([
        { 'kubernetes.io/config.mirror': 'm' },
        { 'scheduler.alpha.kubernetes.io/node-selector': 'a=b' },
      ]),
    }));
    const namespace = random.pick(['admission', 'admission', 'kube-system', 'absent']);
    return post(`${core}/${namespace}/pods?dryRun=All`, { metadata: { name: 'x', ...annotations }, spec });
  }

  #levels(): Request[] {
    const random = this.#random;
    const labels = Object.fromEntries(
      ['enforce', 'warn', 'audit', 'enforce-version', 'warn-version'].flatMap((mode) =>
        random.chance(0.6)
          ? [
              [
                `pod-security.kubernetes.io/${mode}`,
                mode.endsWith('version')
                  ? random.pick(['latest', 'v1.20', 'v1.24', 'v1.35', 'v2', 'x'])
                  : random.pick(['restricted', 'baseline', 'restricted', 'baseline', 'privileged', ...(random.chance(0.1) ? ['odd'] : [])]),
              ],
            ]
          : [],
      ),
    );
    return [
      post(core, { metadata: { name: 'secured' } }),
      post(`${core}/secured/serviceaccounts`, { metadata: { name: 'default' } }),
      post(`${core}/secured/pods`, {
        metadata: { name: 'before' },
        spec: { hostNetwork: true, containers: [{ name: 'c', image: 'i', securityContext: { privileged: true } }] },
      }),
      post(`${core}/secured/pods`, { metadata: { name: 'also' }, spec: { containers: [{ name: 'c', image: 'i' }] } }),
      patch(`${core}/secured?dryRun=All`, { metadata: { labels } }),
      patch(`${core}/secured`, { metadata: { labels } }),
    ];
  }

  #secured(): Request {
    const random = this.#random;
    const container = (name: string): TestValue => ({
      name,
      image: 'i',
      ...random.maybe(0.75, () => ({
        securityContext: {
          ...random.maybe(0.1, { privileged: true }),
          ...random.maybe(0.5, () => ({ allowPrivilegeEscalation: random.chance(0.2) })),
          ...random.maybe(0.5, () => ({
            capabilities: {
              ...random.maybe(0.8, { drop: ['ALL'] }),
              ...random.maybe(0.3, () => ({ add: random.some(['NET_BIND_SERVICE', 'SYS_ADMIN', 'CHOWN'], 2) })),
            },
          })),
          ...random.maybe(0.4, () => ({ runAsNonRoot: random.chance(0.7) })),
          ...random.maybe(0.2, () => ({ runAsUser: random.pick([0, 1000]) })),
          ...random.maybe(0.3, () => ({ seccompProfile: { type: random.pick(['RuntimeDefault', 'Unconfined']) } })),
          ...random.maybe(0.1, () => ({ procMount: 'Unmasked' })),
          ...random.maybe(0.1, () => ({
            seLinuxOptions: { type: random.pick(['container_t', 'spc_t']), ...random.maybe(0.3, { user: 'u' }) },
          })),
          ...random.maybe(0.1, () => ({ appArmorProfile: { type: random.pick(['RuntimeDefault', 'Unconfined']) } })),
          ...random.maybe(0.05, { windowsOptions: { hostProcess: true } }),
        },
      })),
      ...random.maybe(0.1, { ports: [{ containerPort: 80, hostPort: 80 }] }),
      ...random.maybe(0.1, { livenessProbe: { httpGet: { port: 80, host: 'x.io' } } }),
      ...random.maybe(0.05, { lifecycle: { postStart: { tcpSocket: { port: 80, host: '10.0.0.1' } } } }),
    });
    const spec = {
      containers: Array.from({ length: random.between(1, 2) }, (_, at) => container(`c${at}`)),
      ...random.maybe(0.2, () => ({ initContainers: [container('init')] })),
      ...random.maybe(0.1, { hostNetwork: true }),
      ...random.maybe(0.1, { hostPID: true }),
      ...random.maybe(0.1, { hostIPC: true }),
      ...random.maybe(0.1, { hostUsers: false }),
      ...random.maybe(0.1, { os: { name: 'windows' } }),
      ...random.maybe(0.3, () => ({
        volumes: random
          .some<TestValue>(
            [
              { hostPath: { path: '/' } },
              { emptyDir: {} },
              { nfs: { server: 's', path: '/p' } },
              { configMap: { name: 'm' } },
              { csi: { driver: 'd.io' } },
              {
                ephemeral: { volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1' } } } } },
              },
            ],
            3,
          )
          .map((volume, at) => ({ name: `v${at}`, ...volume })),
      })),
      ...random.maybe(0.4, () => ({
        securityContext: {
          ...random.maybe(0.6, () => ({ runAsNonRoot: random.chance(0.8) })),
          ...random.maybe(0.5, () => ({ seccompProfile: { type: random.pick(['RuntimeDefault', 'Unconfined']) } })),
          ...random.maybe(0.3, () => ({ runAsUser: random.pick([0, 1000]) })),
          ...random.maybe(0.2, () => ({
            sysctls: [{ name: random.pick(['kernel.shm_rmid_forced', 'net.ipv4.tcp_keepalive_time', 'kernel.msgmax']), value: '1' }],
          })),
          ...random.maybe(0.1, () => ({ seLinuxOptions: { role: 'r' } })),
        },
      })),
      ...random.maybe(0.1, () => ({ runtimeClassName: 'absent' })),
    };
    const base = `${core}/secured`;
    const level = random.pick(['restricted', 'baseline', 'privileged', 'odd']);
    return random.pick<Request>([
      post(`${base}/pods?dryRun=All`, { metadata: { name: 'x' }, spec }),
      post(`${base}/pods?dryRun=All`, { metadata: { name: 'x' }, spec }),
      post(`${base}/pods?dryRun=All`, { metadata: { name: 'x' }, spec }),
      post(`/apis/apps/v1/namespaces/secured/deployments?dryRun=All`, {
        metadata: { name: 'x' },
        spec: { selector: { matchLabels: { l: 'm' } }, template: { metadata: { labels: { l: 'm' } }, spec } },
      }),
      post(`/apis/batch/v1/namespaces/secured/cronjobs?dryRun=All`, {
        metadata: { name: 'x' },
        spec: { schedule: '* * * * *', jobTemplate: { spec: { template: { spec: { ...spec, restartPolicy: 'Never' } } } } },
      }),
      post(`${base}/podtemplates?dryRun=All`, { metadata: { name: 'x' }, template: { metadata: { labels: { l: 'm' } }, spec } }),
      patch(`${base}?dryRun=All`, { metadata: { labels: { 'pod-security.kubernetes.io/enforce': level } } }),
      patch(`${base}/pods/before?dryRun=All`, { metadata: { labels: { a: 'b' } } }),
      patch(`${base}/pods/before?dryRun=All`, { spec: { containers: [{ name: 'c', image: 'other' }] } }),
      patch(`${base}/pods/also/ephemeralcontainers?dryRun=All`, {
        spec: { ephemeralContainers: [{ ...container('e'), ports: undefined, livenessProbe: undefined, lifecycle: undefined }] },
      }),
      post(`${core}?dryRun=All`, {
        metadata: {
          name: 'fresh',
          labels: {
            'pod-security.kubernetes.io/enforce': level,
            'pod-security.kubernetes.io/enforce-version': random.pick(['latest', 'v1', 'v1.99']),
          },
        },
      }),
    ]);
  }

  #storageClasses(): Request[] {
    const random = this.#random;
    const storageClass = (name: string): Request =>
      post('/apis/storage.k8s.io/v1/storageclasses', {
        metadata: { name, ...random.maybe(0.5, { annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } }) },
        provisioner: 'p.io/x',
        ...random.maybe(0.5, () => ({ allowVolumeExpansion: random.chance(0.6) })),
      });
    const claim = (name: string, more: TestValue): Request =>
      post(`${core}/admission/persistentvolumeclaims`, {
        metadata: { name },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...more },
      });
    return [
      ...['gold', 'silver'].map(storageClass),
      claim('golden', { storageClassName: 'gold' }),
      claim('classless', { storageClassName: '' }),
      claim('bound', { storageClassName: 'silver', volumeName: 'v' }),
      patch(`${core}/admission/persistentvolumeclaims/bound/status`, { status: { phase: 'Bound', capacity: { storage: '1Gi' } } }),
    ];
  }

  #storage(): Request {
    const random = this.#random;
    const base = `${core}/admission/persistentvolumeclaims`;
    const name = random.pick(['golden', 'classless', 'bound']);
    const annotations = random.maybe(0.15, { annotations: { 'volume.beta.kubernetes.io/storage-class': 'gold' } });
    return random.pick<Request>([
      post(`${base}?dryRun=All`, {
        metadata: { name: 'x', ...annotations },
        spec: {
          accessModes: random.pick([['ReadWriteOnce'], ['ReadWriteOncePod', 'ReadWriteOnce']]),
          resources: { requests: { storage: '1Gi' } },
          ...random.maybe(0.4, () => ({ storageClassName: random.pick(['gold', 'absent', '']) })),
        },
      }),
      patch(`${base}/${name}?dryRun=All`, { spec: { resources: { requests: { storage: random.pick(['2Gi', '1Gi', '500Mi']) } } } }),
      patch(`${base}/${name}?dryRun=All`, { spec: { storageClassName: random.pick(['gold', 'silver']) } }),
      patch(`${base}/${name}?dryRun=All`, { spec: { volumeAttributesClassName: random.pick(['v', 'absent']) } }),
      patch(`${base}/${name}/status?dryRun=All`, { status: { capacity: { storage: '2Gi' } } }),
      post('/apis/networking.k8s.io/v1/namespaces/admission/ingresses?dryRun=All', {
        metadata: { name: 'x', ...random.maybe(0.3, { annotations: { 'kubernetes.io/ingress.class': 'a' } }) },
        spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } }, ...random.maybe(0.3, { ingressClassName: 'a' }) },
      }),
      { method: 'DELETE', path: `${base}/${name}?dryRun=All` },
      post('/api/v1/persistentvolumes?dryRun=All', {
        metadata: { name: 'x' },
        spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } },
      }),
    ]);
  }

  #others(): Request[] {
    const random = this.#random;
    const ingressClass = (name: string): Request =>
      post('/apis/networking.k8s.io/v1/ingressclasses', {
        metadata: { name, ...random.maybe(0.5, { annotations: { 'ingressclass.kubernetes.io/is-default-class': 'true' } }) },
        spec: { controller: 'c.io/x' },
      });
    return [
      ingressClass('a'),
      ingressClass('b'),
      post(core, { metadata: { name: 'ending' }, spec: { finalizers: ['kubernetes'] } }),
      post(`${core}/ending/configmaps`, { metadata: { name: 'kept' } }),
      { method: 'DELETE', path: `${core}/ending` },
      post('/apis/certificates.k8s.io/v1/certificatesigningrequests', {
        metadata: { name: 'csr' },
        spec: { request: plainCertificate, signerName: 'x.io/signer', usages: ['client auth'] },
      }),
    ];
  }

  #other(): Request {
    const random = this.#random;
    const request = random.pick([...certificates, plainCertificate]);
    const signerName = random.pick([
      'kubernetes.io/kube-apiserver-client',
      'kubernetes.io/kube-apiserver-client-kubelet',
      'kubernetes.io/kubelet-serving',
      'x.io/signer',
      'kubernetes.io/legacy-unknown',
    ]);
    const headers: Request['headers'] = random.chance(0.3)
      ? { 'impersonate-user': 'u', 'impersonate-group': ['system:authenticated'] }
      : {};
    const csrs = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
    const namespace = random.pick(['ending', 'absent', 'default']);
    return random.pick<Request>([
      {
        ...post(`${csrs}?dryRun=All`, {
          metadata: { name: 'x' },
          spec: {
            request,
            signerName,
            usages: random.pick([['client auth'], ['digital signature', 'key encipherment', 'client auth'], ['server auth']]),
          },
        }),
        headers: {},
      },
      {
        ...patch(`${csrs}/csr/approval?dryRun=All`, { status: { conditions: [{ type: 'Approved', status: 'True', reason: 'r' }] } }),
        headers,
      },
      { ...patch(`${csrs}/csr/status?dryRun=All`, { status: { certificate: random.pick(['eA==', '']) } }), headers },
      post('/apis/networking.k8s.io/v1/namespaces/admission/ingresses?dryRun=All', {
        metadata: { name: 'x', ...random.maybe(0.3, { annotations: { 'kubernetes.io/ingress.class': 'a' } }) },
        spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } }, ...random.maybe(0.3, { ingressClassName: 'a' }) },
      }),
      post(`${core}/${namespace}/configmaps?dryRun=All`, { metadata: { name: 'x' } }),
      patch(`${core}/${namespace}/configmaps/kept?dryRun=All`, { data: { a: 'b' } }),
      {
        method: 'DELETE',
        path: `${core}/${random.pick(['default', 'kube-system', 'kube-public', 'kube-node-lease', 'ending', 'absent'])}?dryRun=All`,
      },
      { method: 'DELETE', path: `${core}/${namespace}/configmaps?dryRun=All` },
      {
        method: 'PATCH',
        path: `${core}/${namespace}/configmaps/new?dryRun=All&fieldManager=m`,
        contentType: 'application/apply-patch+yaml',
        body: { apiVersion: 'v1', kind: 'ConfigMap' },
      },
      post(`/apis/authorization.k8s.io/v1/namespaces/${namespace}/localsubjectaccessreviews`, {
        spec: { user: 'u', resourceAttributes: { namespace, verb: 'get', resource: 'pods' } },
      }),
      post('/api/v1/nodes?dryRun=All', {
        metadata: { name: 'x' },
        spec: {
          taints: random.pick([
            undefined,
            [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }],
            [{ key: 'k', effect: 'NoExecute' }],
          ]),
        },
      }),
      post(`${core}/admission/pods?dryRun=All`, {
        metadata: { name: 'x' },
        spec: { containers: [{ name: 'c', image: 'i' }], tolerations: [{ key: 'k', operator: 'Exists' }] },
      }),
      patch(`${core}/ending?dryRun=All`, { metadata: { labels: { a: 'b' } } }),
      { method: 'PUT', path: `${core}/ending/finalize?dryRun=All`, edits: `${core}/ending`, body: { metadata: { labels: { c: 'd' } } } },
    ]);
  }
}
