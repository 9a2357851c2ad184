/** Flags that cannot be taken as they are: the message is for the person who gave them. */
export class OptionError extends Error {
  readonly isOptionError = true;
}

export function isOptionError(error: unknown): error is OptionError {
  return typeof error === 'object' && error !== null && (error as OptionError).isOptionError === true;
}

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
 * `A=true,B=false`, with AllAlpha and AllBeta for those not named. (component-base featuregate)
 *
 * @throws OptionError
 */
export function parseFeatureGates(texts: readonly string[]): FeatureGates {
  const wanted = parsePairs('feature-gates', texts);
  const gates: Record<string, boolean> = {};
  for (const [name, gate] of Object.entries<FeatureGate>(knownGates)) {
    const all = gate.stage === 'ga' ? undefined : wanted.get(gate.stage === 'alpha' ? 'AllAlpha' : 'AllBeta');
    gates[name] = wanted.get(name) ?? all ?? gate.default;
  }
  for (const name of wanted.keys()) {
    if (name === 'AllAlpha' || name === 'AllBeta' || Object.hasOwn(knownGates, name)) continue;
    throw new OptionError(`--feature-gates: unrecognized feature gate: ${name}`);
  }
  return gates as FeatureGates;
}

/** `k=v` lists, several times over; later ones win. Values are Go's booleans. @throws OptionError */
export function parsePairs(flag: string, texts: readonly string[], bare?: boolean): Map<string, boolean> {
  const pairs = new Map<string, boolean>();
  for (const pair of texts.flatMap((text) => text.split(','))) {
    const trimmed = pair.trim();
    if (trimmed === '') continue;
    const equals = trimmed.indexOf('=');
    if (equals < 0 && bare === undefined) throw new OptionError(`--${flag}: missing bool value for ${trimmed}`);
    const key = equals < 0 ? trimmed : trimmed.slice(0, equals).trim();
    const value = equals < 0 ? bare : parseBoolean(trimmed.slice(equals + 1).trim());
    if (value === undefined) {
      throw new OptionError(`--${flag}: invalid value of ${key}=${trimmed.slice(equals + 1)}, want true or false`);
    }
    pairs.set(key, value);
  }
  return pairs;
}

function parseBoolean(text: string): boolean | undefined {
  if (['1', 't', 'T', 'TRUE', 'true', 'True'].includes(text)) return true;
  if (['0', 'f', 'F', 'FALSE', 'false', 'False'].includes(text)) return false;
  return undefined;
}
