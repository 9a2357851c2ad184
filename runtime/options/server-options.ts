import type { Dial } from '../client/transport/dial.ts';
import type { LogLevel } from '../machinery/logger.ts';
import type { PodHandlers } from '../streaming/pod-handlers.ts';
import type { AdmissionOptions } from './admission.ts';
import type { AggregatorOptions } from './aggregator.ts';
import type { APIEnablementOptions } from './api-enablement.ts';
import type { AuditOptions } from './audit.ts';
import type { AuthenticationOptions } from './authentication.ts';
import type { AuthorizationOptions } from './authorization.ts';
import type { CSRSigningOptions } from './csr-signing.ts';
import type { DelegatingOptions } from './delegating.ts';
import type { DeterminismOptions } from './determinism.ts';
import type { KubeletOptions } from './kubelet.ts';
import type { LeaderElectionOptions } from './leader-election.ts';
import type { LimitOptions } from './limits.ts';
import type { RecordingOptions } from './recording.ts';
import type { SecureServingOptions } from './secure-serving.ts';
import type { ServerRunOptions } from './server-run.ts';
import type { ServiceOptions } from './services.ts';
import type { SimulationOptions } from './simulation.ts';
import type { StorageOptions } from './storage.ts';
import type { TestControlsOptions } from './test-controls.ts';

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
  readonly pods?: PodHandlers | undefined;
  /**
   * Opens the connections of proxies to pods, services and nodes, and those to kubelets, as for a network that is not the
   * host's. Default: TCP.
   */
  readonly dial?: Dial | undefined;
  /**
   * For example `*`, `-garbage-collector-controller`, `serviceaccount-token-controller`. Default: `*`, which is all but
   * serviceaccount-token-controller.
   */
  readonly controllers?: readonly string[] | undefined;
  /** For example `APIResponseCompression=false`. */
  readonly featureGates?: readonly string[] | undefined;
  /** The level of the JSON log on stderr. Default: silent. */
  readonly logLevel?: LogLevel | undefined;
  /** Path of the admin kubeconfig, which is written when the server is ready. Default: it is not written. */
  readonly writeKubeconfig?: string | undefined;
  /** The values of the command-line flags by name, for /flagz. Default: none. */
  readonly flags?: Readonly<Record<string, string>> | undefined;
}
