/** The outcome of a suite of Kubernetes on this server. */
export interface SuiteResult {
  readonly name: string;
  /** The module and its version, for example `k8s.io/kubernetes v1.35.0`. */
  readonly version: string;
  readonly passed: number;
  readonly total: number;
  /** The names of tests that fail. */
  readonly failed: readonly string[];
}

/** A suite of Kubernetes that runs on another server than its own. */
export interface Suite {
  readonly name: string;
  /** The reason why it cannot run on this machine; undefined if it can. */
  missing(): string | undefined;
  run(): Promise<SuiteResult>;
}
