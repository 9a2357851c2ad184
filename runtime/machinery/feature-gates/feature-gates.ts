import { parseGoBool, parseGoBoolError } from '../go/bool.ts';
import { OptionError } from '../options/option-error.ts';
import { gatesInUse } from './gates-in-use.ts';
import { type FeatureName, knownGates } from './known-gates.ts';

export type { FeatureName } from './known-gates.ts';

export type FeatureGates = Readonly<Record<FeatureName, boolean>>;

/** A gate in one minor of Kubernetes. */
export interface FeatureSpec {
  readonly stage: 'alpha' | 'beta' | 'ga' | 'deprecated';
  readonly default: boolean;
  /** Whether the default cannot be changed. */
  readonly isLocked: boolean;
}

/** Returns the gates of a minor by name, in alphabetical order, without removed gates and gates of later minors. */
export function featureSpecs(minor: number): ReadonlyMap<FeatureName, FeatureSpec> {
  const specs = Object.entries(knownGates).flatMap(([name, text]) => {
    const { spec, isRemoved } = stateAt(minor, text);
    return spec === undefined || isRemoved ? [] : [[name as FeatureName, spec] as const];
  });
  return new Map(specs);
}

interface GateState {
  /** Undefined before the gate exists. */
  readonly spec: FeatureSpec | undefined;
  /** True if the gate was removed. Its feature stays as in the last spec. */
  readonly isRemoved: boolean;
}

/** Reads `1.33 alpha off, 1.34 beta on, 1.35 ga on locked, 1.36 removed`. */
function stateAt(minor: number, text: string): GateState {
  const states = text.split(', ').map((one) => one.split(' '));
  const begun = states.filter(([since = '']) => Number(since.slice(2)) <= minor);
  const last = begun.findLast(([, stage]) => stage !== 'removed');
  if (last === undefined) return { spec: undefined, isRemoved: false };
  const [, stage, state, locked] = last;
  const spec = { stage: stage as FeatureSpec['stage'], default: state === 'on', isLocked: locked !== undefined };
  return { spec, isRemoved: last !== begun.at(-1) };
}

/**
 * Parses `A=true,B=false` or `kube:A=true`. AllAlpha and AllBeta set the gates that are not named. (component-base
 * featuregate and compatibility/registry.go)
 *
 * @param minor of the Kubernetes release, as 35
 * @throws OptionError for unknown gates, invalid values, and locked gates
 */
export function parseFeatureGates(texts: readonly string[], minor = 35): FeatureGates {
  const wanted = parsePairs(withoutComponent(texts.flatMap((text) => text.split(','))));
  const specs = featureSpecs(minor);
  const gates = Object.fromEntries(Object.entries(knownGates).map(([name, text]) => [name, stateAt(minor, text).spec?.default === true]));
  for (const [name, spec] of specs) {
    const all = spec.stage === 'alpha' ? 'AllAlpha' : spec.stage === 'beta' ? 'AllBeta' : undefined;
    const value = wanted.get(name) ?? (all && !spec.isLocked ? wanted.get(all) : undefined) ?? spec.default;
    if (spec.isLocked && value !== spec.default) {
      reject(`cannot set feature gate ${name} to ${value}, feature is locked to ${spec.default}`);
    }
    gates[name] = value;
  }
  for (const name of wanted.keys()) {
    if (!specs.has(name as FeatureName)) reject(`unrecognized feature gate: ${name}`);
  }
  return gates as FeatureGates;
}

const component = 'kube';

/** Removes the prefix `kube:`. Either all pairs have it, or none. */
function withoutComponent(pairs: readonly string[]): string[] {
  const named = pairs
    .filter((pair) => pair !== '')
    .map((pair) => {
      const colon = pair.indexOf(':');
      return colon < 0 ? { pair: pair.trim() } : { of: pair.slice(0, colon).trim(), pair: pair.slice(colon + 1).trim() };
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

/** Returns the gates that differ from their defaults but have no effect in this server. */
export function ineffectiveGates(gates: FeatureGates, minor: number): readonly FeatureName[] {
  return [...featureSpecs(minor)].flatMap(([name, spec]) => {
    const isIneffective = gates[name] !== spec.default && !Object.hasOwn(gatesInUse, name) && !name.startsWith('All');
    return isIneffective ? [name] : [];
  });
}
