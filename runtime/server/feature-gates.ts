import { parseGoBool, parseGoBoolError } from '../machinery/go/bool.ts';
import { OptionError } from './options.ts';

interface FeatureGate {
  readonly stage: 'alpha' | 'beta' | 'ga';
  readonly default: boolean;
  readonly about: string;
}

/** The feature gates of Kubernetes that this server implements. */
const knownGates = {
  AllowParsingUserUIDFromCertAuth: {
    stage: 'beta',
    default: true,
    about: 'the subject of a client certificate may have the uid of the user',
  },
  AllowUnsafeMalformedObjectDeletion: {
    stage: 'alpha',
    default: false,
    about: 'objects whose stored bytes cannot be decoded can be deleted',
  },
  APIResponseCompression: {
    stage: 'beta',
    default: true,
    about: 'large responses are compressed for clients that accept gzip',
  },
  APIServerIdentity: { stage: 'beta', default: true, about: 'a Lease says which process serves the cluster' },
  CBORServingAndStorage: { stage: 'alpha', default: false, about: 'requests and responses can be CBOR' },
  ComponentFlagz: { stage: 'alpha', default: false, about: '/flagz has the command-line flags' },
  ComponentStatusz: { stage: 'alpha', default: false, about: '/statusz describes the process' },
  ConstrainedImpersonation: {
    stage: 'alpha',
    default: false,
    about: 'there are verbs that allow to impersonate some users for some requests',
  },
  MaxUnavailableStatefulSet: {
    stage: 'beta',
    default: false,
    about: 'a rolling update of a StatefulSet may replace several pods at once',
  },
  UnauthenticatedHTTP2DOSMitigation: {
    stage: 'beta',
    default: true,
    about: 'an HTTP/2 connection without credentials is ended after one request',
  },
} as const satisfies Readonly<Record<string, FeatureGate>>;

type FeatureName = keyof typeof knownGates;
export type FeatureGates = Readonly<Record<FeatureName, boolean>>;

/** The names of the gates with their stages as metrics have them: "" for stable features. */
export const featureStages: readonly (readonly [name: FeatureName, stage: string])[] = Object.entries<FeatureGate>(
  knownGates,
).map(([name, { stage }]) => [name as FeatureName, stage === 'ga' ? '' : stage.toUpperCase()]);

/**
 * Parses `A=true,B=false` or `kube:A=true`. AllAlpha and AllBeta set the gates that are not named. (component-base
 * featuregate and compatibility/registry.go)
 *
 * @throws OptionError for unknown gates and invalid values
 */
export function parseFeatureGates(texts: readonly string[]): FeatureGates {
  const wanted = parsePairs(withoutComponent(texts.flatMap((text) => text.split(','))));
  const gates: Record<string, boolean> = {};
  for (const [name, gate] of Object.entries<FeatureGate>(knownGates)) {
    const all = gate.stage === 'ga' ? undefined : wanted.get(gate.stage === 'alpha' ? 'AllAlpha' : 'AllBeta');
    gates[name] = wanted.get(name) ?? all ?? gate.default;
  }
  for (const name of wanted.keys()) {
    if (name === 'AllAlpha' || name === 'AllBeta' || Object.hasOwn(knownGates, name)) continue;
    reject(`unrecognized feature gate: ${name}`);
  }
  return gates as FeatureGates;
}

const component = 'kube';

/** Removes the prefix `kube:`, which either all pairs have or none. */
function withoutComponent(pairs: readonly string[]): string[] {
  const named = pairs
    .filter((pair) => pair !== '')
    .map((pair) => {
      const colon = pair.indexOf(':');
      return colon < 0
        ? { pair: pair.trim() }
        : { of: pair.slice(0, colon).trim(), pair: pair.slice(colon + 1).trim() };
    });
  const unknown = named.find(({ of }) => of !== undefined && of !== '' && of !== component);
  if (unknown !== undefined) reject(`component not registered: ${unknown.of}`);
  if (named.some(({ of }) => of === component) && named.some(({ of }) => of !== component)) {
    reject('set kube feature gates with default empty prefix or kube: prefix consistently, do not mix use');
  }
  return named.map(({ pair }) => pair);
}

/** Parses `key=bool` pairs, with booleans as Go writes them. Later pairs override earlier ones. */
function parsePairs(pairs: readonly string[]): Map<string, boolean> {
  const wanted = new Map<string, boolean>();
  for (const pair of pairs) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    if (equals < 0) reject(`missing bool value for ${pair}`);
    const key = pair.slice(0, equals).trim();
    const text = pair.slice(equals + 1).trim();
    const value = parseGoBool(text);
    if (value === undefined) reject(`invalid value of ${key}=${text}, err: ${parseGoBoolError(text)}`);
    wanted.set(key, value);
  }
  return wanted;
}

function reject(message: string): never {
  throw new OptionError(`--feature-gates: ${message}`);
}
