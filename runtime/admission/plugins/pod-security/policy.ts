import { memberOf } from '../../../machinery/json/values.ts';
import { type FieldError, invalid } from '../../../machinery/validation/field-error.ts';
import { FieldPath } from '../../../machinery/validation/field-path.ts';

/** Levels, versions and policies of Pod Security. (pod-security-admission api) */

export type Level = 'privileged' | 'baseline' | 'restricted';

const levels: readonly Level[] = ['privileged', 'baseline', 'restricted'];

/** The minor of a v1 version; Infinity for `latest`. */
export type Minor = number;
export const latest: Minor = Number.POSITIVE_INFINITY;

export interface LevelVersion {
  readonly level: Level;
  readonly version: Minor;
}

export const versionText = (version: Minor): string => (version === latest ? 'latest' : `v1.${version}`);
export const levelVersionText = ({ level, version }: LevelVersion): string => `${level}:${versionText(version)}`;

export const modes = ['enforce', 'audit', 'warn'] as const;
export type Mode = (typeof modes)[number];

/** The level and version of each mode for the pods of a namespace. */
export type Policy = Readonly<Record<Mode, LevelVersion>>;

/** Compares the strictness of two levels: below 0 if the first is less strict. */
export const compareLevels = (a: Level, b: Level): number => levels.indexOf(a) - levels.indexOf(b);

export const isFullyPrivileged = (policy: Policy): boolean => modes.every((mode) => policy[mode].level === 'privileged');

const isSame = (a: LevelVersion, b: LevelVersion): boolean => a.level === b.level && a.version === b.version;

/** Reports whether two policies have the same effect. Privileged has no versions. */
export const areEquivalent = (a: Policy, b: Policy): boolean =>
  modes.every((mode) => isSame(a[mode], b[mode]) || (a[mode].level === 'privileged' && b[mode].level === 'privileged'));

export const isSameLevelVersion = isSame;

export const levelError = `must be one of ${levels.join(', ')}`;
export const versionError = 'must be "latest" or "v1.x"';

/** Returns undefined for an unknown level. */
export const parseLevel = (text: string): Level | undefined => levels.find((level) => level === text);

/** Returns undefined for an invalid version. */
export function parseVersion(text: string): Minor | undefined {
  if (text === 'latest') return latest;
  const minor = /^v1\.(0|[1-9][0-9]{0,17})$/.exec(text)?.[1];
  return minor === undefined ? undefined : Number(minor);
}

export const levelLabel = (mode: Mode): string => `pod-security.kubernetes.io/${mode}`;
export const versionLabel = (mode: Mode): string => `pod-security.kubernetes.io/${mode}-version`;

export interface ParsedPolicy {
  readonly policy: Policy;
  readonly errors: readonly FieldError[];
}

/**
 * Reads the policy of a namespace from its labels. Unreadable labels enforce the newest version of restricted, but
 * audit and warn of nothing. An enforced level is also warned of. (PolicyToEvaluate)
 */
export function policyToEvaluate(labels: Readonly<Record<string, string>> | undefined, defaults: Policy): ParsedPolicy {
  if (labels === undefined) return { policy: defaults, errors: [] };
  const errors: FieldError[] = [];
  const read = <T>(label: string, parse: (text: string) => T | undefined, error: string): T | undefined => {
    const text = memberOf(labels, label);
    if (text === undefined) return undefined;
    const value = parse(text);
    if (value === undefined) errors.push(invalid(FieldPath.of('metadata', 'labels').key(label), text, error));
    return value;
  };
  const readMode = (mode: Mode, otherwise: Level): LevelVersion => {
    const [level, version] = [levelLabel(mode), versionLabel(mode)];
    const { [mode]: initial } = defaults;
    return {
      level: read(level, parseLevel, levelError) ?? (Object.hasOwn(labels, level) ? otherwise : initial.level),
      version: read(version, parseVersion, versionError) ?? (Object.hasOwn(labels, version) ? latest : initial.version),
    };
  };
  const enforce = readMode('enforce', 'restricted');
  const audit = readMode('audit', 'privileged');
  const warn = readMode('warn', 'privileged');
  const isEnforced = parseLevel(memberOf(labels, levelLabel('enforce')) ?? '') !== undefined;
  const warnsAsEnforced = isEnforced && !Object.hasOwn(labels, levelLabel('warn')) && compareLevels(enforce.level, warn.level) > 0;
  return { policy: { enforce, audit, warn: warnsAsEnforced ? enforcedWarning(labels, enforce, warn) : warn }, errors };
}

function enforcedWarning(labels: object, enforce: LevelVersion, warn: LevelVersion): LevelVersion {
  const hasVersion = Object.hasOwn(labels, versionLabel('warn'));
  return { level: enforce.level, version: hasVersion ? warn.version : enforce.version };
}
