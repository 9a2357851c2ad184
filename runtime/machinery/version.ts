import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Whether this process runs from source instead of dist/. */
export const isSource = import.meta.url.endsWith('.ts');

interface Package {
  readonly folder: string;
  readonly version: string;
}

let cached: Package | undefined;

/** Returns the folder of this package's package.json, some folders above this file in source and in dist/. */
export const packageFolder = (): string => ownPackage().folder;

/** Returns the version in package.json. */
export const packageVersion = (): string => ownPackage().version;

function ownPackage(): Package {
  for (let folder = dirname(fileURLToPath(import.meta.url)); cached === undefined; folder = dirname(folder)) {
    const version = versionIn(join(folder, 'package.json'));
    if (version !== undefined || folder === dirname(folder)) cached = { folder, version: version ?? '0.0.0' };
  }
  return cached;
}

function versionIn(file: string): string | undefined {
  try {
    const { name, version } = JSON.parse(readFileSync(file, 'utf8'));
    return name === 'kubeloom' ? version : undefined;
  } catch {
    return undefined;
  }
}

/** The version that this process reports in place of its own. */
let dynamicVersion: string | undefined;

/** Returns the Kubernetes release of the API with this server's version: `v1.35.0+kubeloom.0.1.0`. */
export function gitVersion(release: string): string {
  return dynamicVersion ?? defaultVersion(release);
}

const defaultVersion = (release: string): string => `${release}.0+kubeloom.${packageVersion()}`;

/**
 * Lets this process report another version of the release. (component-base version.SetDynamicVersion)
 *
 * @param text for example `v1.35.0-custom`
 * @throws Error for a text that is no semantic version, or one of another release
 */
export function setDynamicVersion(text: string, release: string): void {
  const own = defaultVersion(release);
  const parts = semantic.exec(text)?.[1];
  if (parts === undefined) throw new Error(`could not parse ${JSON.stringify(text)} as version`);
  if (parts !== semantic.exec(own)?.[1]) {
    throw new Error(`version ${JSON.stringify(text)} must match major/minor/patch of default version ${JSON.stringify(own)}`);
  }
  dynamicVersion = text;
}

/** (semver.org) */
const semantic = /^v?((?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*))(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;

/** The body of /version. (apimachinery pkg/version Info) */
export interface VersionInfo {
  readonly major: string;
  readonly minor: string;
  readonly emulationMajor: string;
  readonly emulationMinor: string;
  readonly minCompatibilityMajor: string;
  readonly minCompatibilityMinor: string;
  readonly gitVersion: string;
  readonly gitCommit: string;
  readonly gitTreeState: string;
  readonly buildDate: string;
  readonly goVersion: string;
  readonly compiler: string;
  readonly platform: string;
}

export function versionInfo(release: string): VersionInfo {
  const [major = '', minor = ''] = release.replace(/^v/, '').split('.');
  return {
    major,
    minor,
    emulationMajor: major,
    emulationMinor: minor,
    minCompatibilityMajor: major,
    minCompatibilityMinor: String(Math.max(0, Number(minor) - 1)),
    gitVersion: gitVersion(release),
    gitCommit: '',
    gitTreeState: '',
    buildDate: '',
    goVersion: `node${process.versions.node}`,
    compiler: 'v8',
    platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
  };
}
