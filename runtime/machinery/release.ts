/** The release of Kubernetes that all strategies, rules and overlays follow. Its code is committed. */
export const defaultRelease = 'v1.35';

/** Returns 35 for `v1.35`. Other groups' releases have the minor version of the default release. */
export function minorOf(release: string): number {
  const [, minor] = /^v1\.(\d+)$/.exec(release) ?? [undefined, minorOf(defaultRelease)];
  return Number(minor);
}
