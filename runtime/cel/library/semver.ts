import { compareVersions, parseVersion, type Version } from '../../machinery/semver.ts';
import { declare, type FunctionDecl, global, type Library, member } from '../checker/declarations.ts';
import { boolType, intType, stringType, structType, type Type } from '../types/type.ts';
import { CelError, intValue, type Value } from '../values/value.ts';

export const semverType = structType('kubernetes.Semver');

class SemverValue {
  readonly tag = 'opaque';
  readonly type = semverType;
  readonly version: Version;

  constructor(version: Version) {
    this.version = version;
  }

  equals(other: Value): boolean | undefined {
    return other instanceof SemverValue ? compareVersions(this.version, other.version) === 0 : undefined;
  }
}

/** Normalizes versions such as `v1` and `01.2`, then parses them. (semver ParseTolerant) */
function parseTolerant(text: string): Version | string {
  const all = text.replace(/^v/, '').split('.');
  const trimmed = [...all.slice(0, 2), ...(all.length > 2 ? [all.slice(2).join('.')] : [])].map((part) => {
    if (part.length <= 1) return part;
    const digits = part.replace(/^0+/, '');
    return /^[0-9]/.test(digits) ? digits : `0${digits}`;
  });
  if (trimmed.length < 3) {
    if (/[+-]/.test(trimmed.at(-1) ?? '')) return 'short version cannot contain PreRelease/Build meta data';
    while (trimmed.length < 3) trimmed.push('0');
  }
  return parseVersion(trimmed.join('.'));
}

const parse = (text: Value, loose: Value): Version | string =>
  loose === true ? parseTolerant(text as string) : parseVersion(text as string);

function toSemver(text: Value, loose: Value = false): Value {
  const version = parse(text, loose);
  return typeof version === 'string' ? new CelError(version) : new SemverValue(version);
}

const isSemver = (text: Value, loose: Value = false): Value => typeof parse(text, loose) !== 'string';

const names = ['major', 'minor', 'patch'] as const;

function test(name: string, id: string, result: Type, of: (order: number) => Value): FunctionDecl {
  return declare(name, [
    member(id, [semverType, semverType], result, (a, b) => of(compareVersions((a as SemverValue).version, (b as SemverValue).version))),
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
          intValue(BigInt.asIntN(64, (value as SemverValue).version.numbers[i] ?? 0n)),
        ),
      ]),
    ),
  ],
};
