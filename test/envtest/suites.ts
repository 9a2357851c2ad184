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
  /** The suite takes minutes, and runs only when ONLY names it. */
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
    name: 'controller-runtime-packages',
    module: 'sigs.k8s.io/controller-runtime',
    version: 'v0.24.1',
    packages: [
      'pkg/builder',
      'pkg/cache',
      'pkg/client',
      'pkg/controller',
      'pkg/controller/controllerutil',
      'pkg/handler',
      'pkg/internal/controller',
      'pkg/internal/recorder',
      'pkg/manager',
      'pkg/manager/internal/integration',
      'pkg/metrics/filters',
      'pkg/reconcile',
      'pkg/source',
      'pkg/webhook',
    ],
    isLong: true,
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
  {
    name: 'jobset-controller',
    module: 'sigs.k8s.io/jobset',
    version: 'v0.12.0',
    packages: ['test/integration/controller'],
    // this spec fails on kube-apiserver v1.35, too
    args: ['-ginkgo.skip=rejects updates to parallelism and completions'],
    isLong: true,
  },
  {
    name: 'opentelemetry-operator',
    module: 'github.com/open-telemetry/opentelemetry-operator',
    version: 'v0.142.0',
    packages: ['apis/v1beta1', 'internal/controllers', 'internal/instrumentation', 'internal/webhook/podmutation'],
    isLong: true,
  },
  {
    name: 'karpenter',
    module: 'sigs.k8s.io/karpenter',
    version: 'v1.8.2',
    packages: [
      'pkg/apis/v1',
      'pkg/controllers/node/termination',
      'pkg/controllers/nodeclaim/lifecycle',
      'pkg/controllers/nodepool/counter',
      'pkg/controllers/nodepool/validation',
      'pkg/controllers/state',
      'pkg/utils/pdb',
    ],
    isLong: true,
  },
];
