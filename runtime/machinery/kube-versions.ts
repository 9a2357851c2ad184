const pattern = /^v([1-9][0-9]*)(?:(alpha|beta)([1-9][0-9]*))?$/;
const stages = { alpha: 0, beta: 1 } as const;

/** Parses the stage, major and minor of a version in Kubernetes' scheme. Returns undefined for any other text. */
function parse(version: string): [stage: number, major: number, minor: number] | undefined {
  const match = pattern.exec(version);
  if (match === null) return undefined;
  const [, major, stage, minor] = match;
  return [stage === undefined ? 2 : stages[stage as 'alpha' | 'beta'], Number(major), Number(minor ?? 0)];
}

/**
 * Returns a positive number if `a` is the more stable or newer version. The order is v2, v1, v2beta1, v1beta2,
 * v3alpha1, then all other texts in reverse alphabetical order. (apimachinery pkg/version/helpers.go
 * CompareKubeAwareVersionStrings)
 */
export function compareKubeAwareVersions(a: string, b: string): number {
  if (a === b) return 0;
  const left = parse(a);
  const right = parse(b);
  if (left === undefined || right === undefined) {
    if (left !== undefined || right !== undefined) return left === undefined ? -1 : 1;
    return a < b ? 1 : -1;
  }
  return left[0] - right[0] || left[1] - right[1] || left[2] - right[2];
}
