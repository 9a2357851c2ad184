/** A suite of another project on envtest. */
export interface Suite {
  readonly name: string;
  /** The module in Go's module proxy. Its archive includes tests and their data. */
  readonly module: string;
  readonly version: string;
  /** Paths in the module. */
  readonly packages: readonly string[];
  /** Flags of the test's program, such as those that leave tests out. */
  readonly args?: readonly string[];
  /** The suite sets DownloadBinaryAssets, so that envtest ignores KUBEBUILDER_ASSETS. */
  readonly isDownloading?: boolean;
  /** The suite takes minutes to build, and runs only when ONLY names it. */
  readonly isLong?: boolean;
}

export const suites: readonly Suite[] = [
  {
    name: 'controller-runtime',
    module: 'sigs.k8s.io/controller-runtime',
    version: 'v0.24.1',
    packages: ['pkg/envtest'],
  },
  {
    name: 'gateway-api',
    module: 'sigs.k8s.io/gateway-api',
    version: 'v1.4.1',
    packages: ['pkg/test/cel', 'pkg/test/crd'],
    isDownloading: true,
    isLong: true,
  },
  { name: 'jobset', module: 'sigs.k8s.io/jobset', version: 'v0.12.0', packages: ['test/integration/webhook'] },
];
