/** The controllers of this server, by upstream's names. */
const knownControllers = {
  'certificatesigningrequest-approving-controller': { alias: 'csrapproving', default: true },
  'certificatesigningrequest-cleaner-controller': { alias: 'csrcleaner', default: true },
  'certificatesigningrequest-signing-controller': { alias: 'csrsigning', default: true },
  'clusterrole-aggregation-controller': { alias: 'clusterrole-aggregation', default: true },
  'cronjob-controller': { alias: 'cronjob', default: 'simulated' },
  'daemonset-controller': { alias: 'daemonset', default: 'simulated' },
  'deployment-controller': { alias: 'deployment', default: 'simulated' },
  'disruption-controller': { alias: 'disruption', default: 'simulated' },
  'endpoints-controller': { alias: 'endpoint', default: 'simulated' },
  'endpointslice-controller': { alias: 'endpointslice', default: 'simulated' },
  'ephemeral-volume-controller': { alias: 'ephemeral-volume', default: 'simulated' },
  'endpointslice-mirroring-controller': { alias: 'endpointslicemirroring', default: 'simulated' },
  'garbage-collector-controller': { alias: 'garbagecollector', default: true },
  'horizontal-pod-autoscaler-controller': { alias: 'horizontalpodautoscaling', default: 'simulated' },
  'job-controller': { alias: 'job', default: 'simulated' },
  'namespace-controller': { alias: 'namespace', default: true },
  'node-lifecycle-controller': { alias: 'nodelifecycle', default: 'simulated' },
  'persistentvolume-binder-controller': { alias: 'persistentvolume-binder', default: 'simulated' },
  'persistentvolume-protection-controller': { alias: 'pv-protection', default: true },
  'persistentvolumeclaim-protection-controller': { alias: 'pvc-protection', default: true },
  'pod-garbage-collector-controller': { alias: 'podgc', default: 'simulated' },
  'replicaset-controller': { alias: 'replicaset', default: 'simulated' },
  'replicationcontroller-controller': { alias: 'replicationcontroller', default: 'simulated' },
  'resourcequota-controller': { alias: 'resourcequota', default: true },
  'root-ca-certificate-publisher-controller': { alias: 'root-ca-cert-publisher', default: true },
  'service-cidr-controller': { default: true },
  'serviceaccount-controller': { alias: 'serviceaccount', default: true },
  'serviceaccount-token-controller': { alias: 'serviceaccount-token', default: false },
  'statefulset-controller': { alias: 'statefulset', default: 'simulated' },
  'taint-eviction-controller': { default: 'simulated' },
  'ttl-after-finished-controller': { alias: 'ttl-after-finished', default: 'simulated' },
  'ttl-controller': { alias: 'ttl', default: 'simulated' },
  'validatingadmissionpolicy-status-controller': { alias: 'validatingadmissionpolicy-status', default: true },
  'volumeattributesclass-protection-controller': { default: true },
} as const satisfies Readonly<Record<string, KnownController>>;

interface KnownController {
  /** An earlier name. */
  readonly alias?: string;
  /** Whether `*` includes it; `simulated`: only on a server that simulates a cluster. */
  readonly default: boolean | 'simulated';
}

export type ControllerName = keyof typeof knownControllers;

/** The processes of a simulated cluster that run beside the controllers. */
export type SimulatedProcess = 'kubelets' | 'scheduler' | 'volume-provisioner';

export type ProcessName = ControllerName | SimulatedProcess;

export const controllerNames = Object.keys(knownControllers) as readonly ControllerName[];

/**
 * Returns the names of the controllers with this default, for help texts. @param byDefault as KnownController.default
 */
export const controllersBy = (byDefault: KnownController['default']): string =>
  controllerNames.filter((name) => knownControllers[name].default === byDefault).join(', ');

export interface ControllerSelection {
  readonly enabled: ReadonlySet<ControllerName>;
  /** Unknown names. */
  readonly unknown: readonly string[];
}

/**
 * Parses lists of `*` (every controller that is on by default), `name` and `-name`, separated by commas. The first
 * entry for a controller decides. Default: `*`. (controller-manager app/options/generic.go IsControllerEnabled)
 *
 * @param simulates whether the controllers of a simulation are on by default
 */
export function selectControllers(texts: readonly string[] = [], simulates = false): ControllerSelection {
  const entries = texts.flatMap((text) => text.split(',')).map((text) => text.trim());
  const wanted = texts.length === 0 ? ['*'] : entries.filter((entry) => entry !== '');
  const enabled = new Set<ControllerName>();
  for (const name of controllerNames) if (isEnabled(name, wanted, simulates)) enabled.add(name);
  const names = new Set<string>(controllerNames.flatMap((name) => namesOf(name)));
  return { enabled, unknown: wanted.filter((entry) => entry !== '*' && !names.has(entry.replace(/^-/, ''))) };
}

function isEnabled(name: ControllerName, wanted: readonly string[], simulates: boolean): boolean {
  const { default: byDefault } = knownControllers[name] as KnownController;
  const names = namesOf(name);
  for (const entry of wanted) {
    if (names.includes(entry)) return true;
    if (names.some((known) => entry === `-${known}`)) return false;
  }
  return wanted.includes('*') && (byDefault === 'simulated' ? simulates : byDefault);
}

function namesOf(name: ControllerName): string[] {
  const { alias }: KnownController = knownControllers[name];
  return alias === undefined ? [name] : [name, alias];
}
