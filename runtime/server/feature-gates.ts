import { parseGoBool, parseGoBoolError } from '../machinery/go/bool.ts';
import { OptionError } from './options.ts';

interface FeatureGate {
  readonly stage: 'alpha' | 'beta' | 'ga';
  readonly default: boolean;
  readonly about: string;
}

/** The gates that change something here. */
export const knownGates = {
  AllowUnsafeMalformedObjectDeletion: {
    stage: 'alpha',
    default: false,
    about: 'objects whose stored bytes cannot be read can be deleted',
  },
  APIResponseCompression: {
    stage: 'beta',
    default: true,
    about: 'large answers are compressed for clients that take gzip',
  },
  CBORServingAndStorage: { stage: 'alpha', default: false, about: 'objects are read and written as CBOR' },
} as const satisfies Readonly<Record<string, FeatureGate>>;

export type FeatureName = keyof typeof knownGates;
export type FeatureGates = Readonly<Record<FeatureName, boolean>>;

/**
 * `A=true,B=false` or `kube:A=true`, with AllAlpha and AllBeta for those not named. (component-base featuregate, and
 * compatibility/registry.go)
 *
 * @throws OptionError
 */
export function parseFeatureGates(texts: readonly string[]): FeatureGates {
  const wanted = parsePairs(ofThisComponent(texts.flatMap((text) => text.split(','))));
  const gates: Record<string, boolean> = {};
  for (const [name, gate] of Object.entries<FeatureGate>(knownGates)) {
    const all = gate.stage === 'ga' ? undefined : wanted.get(gate.stage === 'alpha' ? 'AllAlpha' : 'AllBeta');
    gates[name] = wanted.get(name) ?? all ?? gate.default;
  }
  for (const name of wanted.keys()) {
    if (name === 'AllAlpha' || name === 'AllBeta' || Object.hasOwn(knownGates, name)) continue;
    refuse(`unrecognized feature gate: ${name}`);
  }
  return gates as FeatureGates;
}

const component = 'kube';

/** The pairs without their `kube:`, which all of them have or none. */
function ofThisComponent(pairs: readonly string[]): string[] {
  const named = pairs
    .filter((pair) => pair !== '')
    .map((pair) => {
      const colon = pair.indexOf(':');
      return colon < 0
        ? { pair: pair.trim() }
        : { of: pair.slice(0, colon).trim(), pair: pair.slice(colon + 1).trim() };
    });
  const strange = named.find(({ of }) => of !== undefined && of !== '' && of !== component);
  if (strange !== undefined) refuse(`component not registered: ${strange.of}`);
  if (named.some(({ of }) => of === component) && named.some(({ of }) => of !== component)) {
    refuse('set kube feature gates with default empty prefix or kube: prefix consistently, do not mix use');
  }
  return named.map(({ pair }) => pair);
}

/** Later ones win. Values are Go's booleans. */
function parsePairs(pairs: readonly string[]): Map<string, boolean> {
  const wanted = new Map<string, boolean>();
  for (const pair of pairs) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    if (equals < 0) refuse(`missing bool value for ${pair}`);
    const key = pair.slice(0, equals).trim();
    const text = pair.slice(equals + 1).trim();
    const value = parseGoBool(text);
    if (value === undefined) refuse(`invalid value of ${key}=${text}, err: ${parseGoBoolError(text)}`);
    wanted.set(key, value);
  }
  return wanted;
}

function refuse(message: string): never {
  throw new OptionError(`--feature-gates: ${message}`);
}
