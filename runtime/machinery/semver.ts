import { maxUint64 } from './scalars/integers.ts';

/** A semantic version without its build metadata. (semver.org 2.0.0; blang/semver) */
export interface Version {
  /** Major, minor and patch. */
  readonly numbers: readonly bigint[];
  readonly pre: readonly (string | bigint)[];
}

/** Parses a version. Returns an error text for an invalid one. (blang/semver Parse) */
export function parseVersion(text: string): Version | string {
  if (text === '') return 'Version string empty';
  const parts = text.split('.');
  if (parts.length < 3) return 'No Major.Minor.Patch elements found';
  const [major = '', minor = '', ...rest] = parts;
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
  const numbers: bigint[] = [];
  for (const [name, part] of [
    ['major', major],
    ['minor', minor],
    ['patch', patch],
  ] as const) {
    const capitalized = name.charAt(0).toUpperCase() + name.slice(1);
    if (!/^[0-9]*$/.test(part)) return `Invalid character(s) found in ${name} number "${part}"`;
    if (part.length > 1 && part.startsWith('0')) return `${capitalized} number must not contain leading zeroes "${part}"`;
    if (part === '') return 'strconv.ParseUint: parsing "": invalid syntax';
    if (part.length > 20 || BigInt(part) > maxUint64) return `strconv.ParseUint: parsing "${part}": value out of range`;
    numbers.push(BigInt(part));
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

/** Compares by precedence: build metadata is ignored, and a prerelease precedes its release. */
export function compareVersions(a: Version, b: Version): number {
  for (const [i, number] of a.numbers.entries()) {
    const other = b.numbers[i];
    if (other !== undefined && number !== other) return number > other ? 1 : -1;
  }
  if (a.pre.length === 0 || b.pre.length === 0) return Math.sign(b.pre.length - a.pre.length);
  for (const [i, x] of a.pre.entries()) {
    const y = b.pre[i];
    if (y === undefined) break;
    if (x === y) continue;
    if (typeof x !== typeof y) return typeof x === 'bigint' ? -1 : 1;
    return x > y ? 1 : -1;
  }
  return Math.sign(a.pre.length - b.pre.length);
}
