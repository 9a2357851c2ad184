import type { LogLevel } from '../observe/logger.ts';
import type { PodHandlers } from '../streaming/pod-handlers.ts';
import type { Dial } from '../transport/dial.ts';
import type { AdmissionOptions } from './options/admission.ts';
import type { AggregatorOptions } from './options/aggregator.ts';
import type { APIEnablementOptions } from './options/api-enablement.ts';
import type { AuditOptions } from './options/audit.ts';
import type { AuthenticationOptions } from './options/authentication.ts';
import type { AuthorizationOptions } from './options/authorization.ts';
import type { CSRSigningOptions } from './options/csr-signing.ts';
import type { DelegatingOptions } from './options/delegating.ts';
import type { DeterminismOptions } from './options/determinism.ts';
import type { KubeletOptions } from './options/kubelet.ts';
import type { LeaderElectionOptions } from './options/leader-election.ts';
import type { LimitOptions } from './options/limits.ts';
import type { RecordingOptions } from './options/recording.ts';
import type { SecureServingOptions } from './options/secure-serving.ts';
import type { ServerRunOptions } from './options/server-run.ts';
import type { ServiceOptions } from './options/services.ts';
import type { SimulationOptions } from './options/simulation.ts';
import type { StorageOptions } from './options/storage.ts';
import type { TestControlsOptions } from './options/test-controls.ts';

export { OptionError } from '../machinery/options/option-error.ts';

/** The options of a server. All have defaults: `startServer()` runs a server in memory on a free port of 127.0.0.1. */
export interface ServerOptions
  extends SecureServingOptions,
    StorageOptions,
    AuthenticationOptions,
    AuthorizationOptions,
    AdmissionOptions,
    DelegatingOptions,
    DeterminismOptions,
    APIEnablementOptions,
    LeaderElectionOptions,
    CSRSigningOptions,
    AggregatorOptions,
    KubeletOptions,
    AuditOptions,
    LimitOptions,
    ServerRunOptions,
    ServiceOptions,
    SimulationOptions,
    RecordingOptions,
    TestControlsOptions {
  /** What exec, attach, portforward and log of pods do. Default: their kubelets are asked, if there are options for that. */
  readonly pods?: PodHandlers;
  /**
   * Opens the connections of proxies to pods, services and nodes, and those to kubelets, as for a network that is not the
   * host's. Default: TCP.
   */
  readonly dial?: Dial;
  /**
   * For example `*`, `-garbage-collector-controller`, `serviceaccount-token-controller`. Default: `*`, which is all but
   * serviceaccount-token-controller.
   */
  readonly controllers?: readonly string[];
  /** For example `APIResponseCompression=false`. */
  readonly featureGates?: readonly string[];
  /** The level of the JSON log on stderr. Default: silent. */
  readonly logLevel?: LogLevel;
  /** Path of the admin kubeconfig, which is written when the server is ready. Default: it is not written. */
  readonly writeKubeconfig?: string;
  /** The values of the command-line flags by name, for /flagz. Default: none. */
  readonly flags?: Readonly<Record<string, string>>;
}
