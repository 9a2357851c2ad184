/** Which admission plugins run. (kubeapiserver/options/admission.go) */
export interface AdmissionOptions {
  /** Names of plugins to turn on besides those that are on by default. Default: none. */
  readonly enableAdmissionPlugins?: readonly string[] | undefined;
  /** Names of plugins to turn off. Default: none. */
  readonly disableAdmissionPlugins?: readonly string[] | undefined;
  /** Path of an AdmissionConfiguration with the configurations of plugins. Default: none. */
  readonly admissionControlConfigFile?: string | undefined;
  /** For how many seconds pods that do not say so stay on a node that is not ready. Default: 300. */
  readonly defaultNotReadyTolerationSeconds?: number | undefined;
  /** And on one that cannot be reached. Default: 300. */
  readonly defaultUnreachableTolerationSeconds?: number | undefined;
}
