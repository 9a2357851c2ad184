/** The controllers of this server, by upstream's names. */
const knownControllers = {
  'certificatesigningrequest-approving-controller': { alias: 'csrapproving', default: true },
  'certificatesigningrequest-cleaner-controller': { alias: 'csrcleaner', default: true },
  'certificatesigningrequest-signing-controller': { alias: 'csrsigning', default: true },
  'clusterrole-aggregation-controller': { alias: 'clusterrole-aggregation', default: true },
  'garbage-collector-controller': { alias: 'garbagecollector', default: true },
  'namespace-controller': { alias: 'namespace', default: true },
  'persistentvolume-protection-controller': { alias: 'pv-protection', default: true },
  'persistentvolumeclaim-protection-controller': { alias: 'pvc-protection', default: true },
  'resourcequota-controller': { alias: 'resourcequota', default: true },
  'root-ca-certificate-publisher-controller': { alias: 'root-ca-cert-publisher', default: true },
  'service-cidr-controller': { default: true },
  'serviceaccount-controller': { alias: 'serviceaccount', default: true },
  'serviceaccount-token-controller': { alias: 'serviceaccount-token', default: false },
  'validatingadmissionpolicy-status-controller': { alias: 'validatingadmissionpolicy-status', default: true },
  'volumeattributesclass-protection-controller': { default: true },
} as const satisfies Readonly<Record<string, KnownController>>;

interface KnownController {
  /** An earlier name. */
  readonly alias?: string;
  readonly default: boolean;
}

export type ControllerName = keyof typeof knownControllers;

export const controllerNames = Object.keys(knownControllers) as readonly ControllerName[];

export interface ControllerSelection {
  readonly enabled: ReadonlySet<ControllerName>;
  /** Names of no controller. */
  readonly unknown: readonly string[];
}

/**
 * Parses lists of `*` (every controller that is on by default), `name` and `-name`, separated by commas. The first entry
 * for a controller decides. Default: `*`. (controller-manager app/options/generic.go IsControllerEnabled)
 */
export function selectControllers(texts: readonly string[] = []): ControllerSelection {
  const entries = texts.flatMap((text) => text.split(',')).map((text) => text.trim());
  const wanted = texts.length === 0 ? ['*'] : entries.filter((entry) => entry !== '');
  const enabled = new Set<ControllerName>();
  for (const name of controllerNames) if (isEnabled(name, wanted)) enabled.add(name);
  const names = new Set<string>(controllerNames.flatMap((name) => namesOf(name)));
  return { enabled, unknown: wanted.filter((entry) => entry !== '*' && !names.has(entry.replace(/^-/, ''))) };
}

function isEnabled(name: ControllerName, wanted: readonly string[]): boolean {
  const { default: byDefault } = knownControllers[name];
  const names = namesOf(name);
  for (const entry of wanted) {
    if (names.includes(entry)) return true;
    if (names.some((known) => entry === `-${known}`)) return false;
  }
  return wanted.includes('*') && byDefault;
}

function namesOf(name: ControllerName): string[] {
  const { alias }: KnownController = knownControllers[name];
  return alias === undefined ? [name] : [name, alias];
}
