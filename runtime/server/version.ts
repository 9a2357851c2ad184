import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Whether this runs as it was written, and not as it was built. */
export const isSource = import.meta.url.endsWith('.ts');

interface Package {
  readonly folder: string;
  readonly version: string;
}

let known: Package | undefined;

/** The package's own folder: that of its package.json, which is some folders above this file, compiled or not. */
export const packageFolder = (): string => ownPackage().folder;

/** As in its package.json. */
export const packageVersion = (): string => ownPackage().version;

function ownPackage(): Package {
  for (let folder = dirname(fileURLToPath(import.meta.url)); known === undefined; folder = dirname(folder)) {
    const version = versionIn(join(folder, 'package.json'));
    if (version !== undefined || folder === dirname(folder)) known = { folder, version: version ?? '0.0.0' };
  }
  return known;
}

function versionIn(file: string): string | undefined {
  try {
    const { name, version } = JSON.parse(readFileSync(file, 'utf8'));
    return name === 'kubeloom' ? version : undefined;
  } catch {
    return undefined;
  }
}

/** `v1.35.0+kubeloom.0.1.0`: the Kubernetes release whose API is served, by this server. */
export function gitVersion(release: string): string {
  return `${release}.0+kubeloom.${packageVersion()}`;
}

/** The body of /version. (apimachinery pkg/version Info) */
export function versionInfo(release: string): Record<string, string> {
  const [major, minor] = release.replace(/^v/, '').split('.');
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
