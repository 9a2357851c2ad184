import { maxUint64 } from '../../machinery/scalars/integers.ts';
import { declare, type FunctionDecl, global, type Library, member } from '../checker/declarations.ts';
import { boolType, intType, stringType, structType, type Type } from '../types/type.ts';
import { CelError, intValue, type Value } from '../values/value.ts';

export const semverType = structType('kubernetes.Semver');

interface Version {
  readonly numbers: readonly [bigint, bigint, bigint];
  readonly pre: readonly (string | bigint)[];
}

class SemverValue {
  readonly tag = 'opaque';
  readonly type = semverType;
  readonly version: Version;

  constructor(version: Version) {
    this.version = version;
  }

  equals(other: Value): boolean | undefined {
    return other instanceof SemverValue ? compareKubeAwareVersions(this.version, other.version) === 0 : undefined;
  }
}

const names = ['major', 'minor', 'patch'] as const;

/** Parses a version; returns a string if it is invalid. (blang/semver Parse) */
function parseStrict(text: string): Version | string {
  if (text === '') return 'Version string empty';
  const parts = text.split('.');
  if (parts.length < 3) return 'No Major.Minor.Patch elements found';
  const [major, minor, ...rest] = parts;
  let patch = rest.join('.');
  let build: string | undefined;
  let pre: string | undefined;
  const plus = patch.indexOf('+');
  if (plus >= 0) {
    build = patch.slice(plus + 1);
    patch = patch.slice(0, plus);
  }
  const dash = patch.indexOf('-');
  if (dash >= 0) {
    pre = patch.slice(dash + 1);
    patch = patch.slice(0, dash);
  }
  const numbers: [bigint, bigint, bigint] = [0n, 0n, 0n];
  for (const [i, part] of [major, minor, patch].entries()) {
    const name = names[i].charAt(0).toUpperCase() + names[i].slice(1);
    if (!/^[0-9]*$/.test(part)) return `Invalid character(s) found in ${names[i]} number "${part}"`;
    if (part.length > 1 && part.startsWith('0')) return `${name} number must not contain leading zeroes "${part}"`;
    if (part === '') return 'strconv.ParseUint: parsing "": invalid syntax';
    if (part.length > 20 || BigInt(part) > maxUint64) return `strconv.ParseUint: parsing "${part}": value out of range`;
    numbers[i] = BigInt(part);
  }
  const identifiers: (string | bigint)[] = [];
  for (const part of pre === undefined ? [] : pre.split('.')) {
    if (part === '') return 'Prerelease is empty';
    if (/^[0-9]+$/.test(part)) {
      if (part.length > 1 && part.startsWith('0')) {
        return `Numeric PreRelease version must not contain leading zeroes "${part}"`;
      }
      if (part.length > 20) return `strconv.ParseUint: parsing "${part}": value out of range`;
      identifiers.push(BigInt(part));
    } else if (/^[0-9A-Za-z-]+$/.test(part)) identifiers.push(part);
    else return `Invalid character(s) found in prerelease "${part}"`;
  }
  for (const part of build === undefined ? [] : build.split('.')) {
    if (part === '') return 'Build meta data is empty';
    if (!/^[0-9A-Za-z-]+$/.test(part)) return `Invalid character(s) found in build meta data "${part}"`;
  }
  return { numbers, pre: identifiers };
}

/** Normalizes versions such as `v1` and `01.2` before it parses them. (semver ParseTolerant) */
function parseTolerant(text: string): Version | string {
  const all = text.replace(/^v/, '').split('.');
  const parts = all.length > 3 ? [all[0], all[1], all.slice(2).join('.')] : all;
  const trimmed = parts.map((part) => {
    if (part.length <= 1) return part;
    const digits = part.replace(/^0+/, '');
    return /^[0-9]/.test(digits) ? digits : `0${digits}`;
  });
  if (trimmed.length < 3) {
    if (/[+-]/.test(trimmed[trimmed.length - 1])) return 'short version cannot contain PreRelease/Build meta data';
    while (trimmed.length < 3) trimmed.push('0');
  }
  return parseStrict(trimmed.join('.'));
}

/** Compares by precedence: build metadata is ignored, and a prerelease precedes its release. */
function compareKubeAwareVersions(a: Version, b: Version): number {
  for (const [i, number] of a.numbers.entries()) {
    if (number !== b.numbers[i]) return number > b.numbers[i] ? 1 : -1;
  }
  if (a.pre.length === 0 || b.pre.length === 0) return Math.sign(b.pre.length - a.pre.length);
  for (let i = 0; i < Math.min(a.pre.length, b.pre.length); i++) {
    const x = a.pre[i];
    const y = b.pre[i];
    if (x === y) continue;
    if (typeof x !== typeof y) return typeof x === 'bigint' ? -1 : 1;
    return x > y ? 1 : -1;
  }
  return Math.sign(a.pre.length - b.pre.length);
}

const parse = (text: Value, loose: Value): Version | string =>
  loose === true ? parseTolerant(text as string) : parseStrict(text as string);

function toSemver(text: Value, loose: Value = false): Value {
  const version = parse(text, loose);
  return typeof version === 'string' ? new CelError(version) : new SemverValue(version);
}

const isSemver = (text: Value, loose: Value = false): Value => typeof parse(text, loose) !== 'string';

function test(name: string, id: string, result: Type, of: (order: number) => Value): FunctionDecl {
  return declare(name, [
    member(id, [semverType, semverType], result, (a, b) =>
      of(compareKubeAwareVersions((a as SemverValue).version, (b as SemverValue).version)),
    ),
  ]);
}

/** Semantic versions. (apiserver pkg/cel/library/semverlib.go, version 1) */
export const semverLibrary: Library = {
  name: 'kubernetes.Semver',
  functions: [
    declare('semver', [
      global('string_to_semver', [stringType], semverType, (text) => toSemver(text)),
      global('string_bool_to_semver', [stringType, boolType], semverType, toSemver),
    ]),
    declare('isSemver', [
      global('is_semver_string', [stringType], boolType, (text) => isSemver(text)),
      global('is_semver_string_bool', [stringType, boolType], boolType, isSemver),
    ]),
    test('isGreaterThan', 'semver_is_greater_than', boolType, (order) => order > 0),
    test('isLessThan', 'semver_is_less_than', boolType, (order) => order < 0),
    test('compareTo', 'semver_compare_to', intType, (order) => order),
    ...names.map((name, i) =>
      declare(name, [
        member(`semver_${name}`, [semverType], intType, (value) =>
          intValue(BigInt.asIntN(64, (value as SemverValue).version.numbers[i])),
        ),
      ]),
    ),
  ],
};
