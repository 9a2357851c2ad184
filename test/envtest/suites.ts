/** A suite of another project on envtest. */
export interface Suite {
  readonly name: string;
  /** The module in Go's module proxy. Its archive includes tests and their data. */
  readonly module: string;
  readonly version: string;
  /** The path in the module. */
  readonly package: string;
}

export const suites: readonly Suite[] = [
  {
    name: 'controller-runtime',
    module: 'sigs.k8s.io/controller-runtime',
    version: 'v0.24.1',
    package: './pkg/envtest',
  },
  { name: 'jobset', module: 'sigs.k8s.io/jobset', version: 'v0.12.0', package: './test/integration/webhook' },
];
