/** The controllers there are, by upstream's names; a bare API server has none, so those that make objects are off. */
const knownControllers = {
  'garbage-collector-controller': { alias: 'garbagecollector', default: true },
  'namespace-controller': { alias: 'namespace', default: true },
  'root-ca-certificate-publisher-controller': { alias: 'root-ca-cert-publisher', default: false },
  'serviceaccount-controller': { alias: 'serviceaccount', default: false },
} as const satisfies Readonly<Record<string, { readonly alias: string; readonly default: boolean }>>;

export type ControllerName = keyof typeof knownControllers;

export const controllerNames = Object.keys(knownControllers) as readonly ControllerName[];

export interface ControllerSelection {
  readonly enabled: ReadonlySet<ControllerName>;
  /** Names that are no controller's. */
  readonly unknown: readonly string[];
}

/**
 * Reads `*` (all that are on by default), `name` and `-name`, separated by commas; the first that speaks of a controller
 * decides. Nothing given is `*`. (controller-manager app/options/generic.go IsControllerEnabled)
 */
export function selectControllers(texts: readonly string[] = []): ControllerSelection {
  const given = texts.flatMap((text) => text.split(',')).map((text) => text.trim());
  const words = given.filter((word) => word !== '');
  const wanted = texts.length === 0 ? ['*'] : words;
  const enabled = new Set<ControllerName>();
  for (const name of controllerNames) if (isEnabled(name, wanted)) enabled.add(name);
  const names = new Set<string>(controllerNames.flatMap((name) => [name, knownControllers[name].alias]));
  return { enabled, unknown: wanted.filter((word) => word !== '*' && !names.has(word.replace(/^-/, ''))) };
}

function isEnabled(name: ControllerName, wanted: readonly string[]): boolean {
  const { alias, default: byDefault } = knownControllers[name];
  for (const word of wanted) {
    if (word === name || word === alias) return true;
    if (word === `-${name}` || word === `-${alias}`) return false;
  }
  return wanted.includes('*') && byDefault;
}
