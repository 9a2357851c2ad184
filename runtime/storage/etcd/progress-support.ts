/** The first versions in which a progress notification follows the events that it covers. (etcd 15220 and 17507) */
const reliableFrom: readonly (readonly [number, number, number])[] = [
  [3, 4, 31],
  [3, 5, 13],
];

/**
 * Reports whether RequestProgress is reliable, by upstream's rule. (apiserver storage/feature
 * endpointSupportsRequestWatchProgress)
 *
 * @param version for example `3.5.21`
 */
export function supportsRequestProgress(version: string): boolean {
  const parts = /^(\d+)\.(\d+)\.(\d+)(?:[-+]|$)/.exec(version);
  if (parts === null) return false;
  const [major = 0, minor = 0, patch = 0] = parts.slice(1).map(Number);
  const series = reliableFrom.find((first) => first[0] === major && first[1] === minor);
  if (series !== undefined) return patch >= series[2];
  return major > 3 || (major === 3 && minor > 5);
}
