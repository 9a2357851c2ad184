export interface BundledPackage {
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  readonly licence: string;
}

export declare const separator: string;
export declare function packagesOf(inputs: Iterable<string>): BundledPackage[];
export declare function licencesOf(packages: readonly BundledPackage[]): string;
