import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

let known: string | undefined;

/** The version of this package, as in its package.json, which is some folders above this file, compiled or not. */
export function packageVersion(): string {
  if (known !== undefined) return known;
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const version = versionIn(join(folder, 'package.json'));
    if (version !== undefined || folder === dirname(folder)) {
      known = version ?? '0.0.0';
      return known;
    }
  }
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
