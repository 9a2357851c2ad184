/** A suite of others that runs on envtest. */
export interface Suite {
  readonly name: string;
  /** Of Go's module proxy. Its archive has tests, and what they read. */
  readonly module: string;
  readonly version: string;
  /** Relative to the module. */
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
