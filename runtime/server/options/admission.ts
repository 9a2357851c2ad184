/** Which admission plugins run. (kubeapiserver/options/admission.go) */
export interface AdmissionOptions {
  /** Names of plugins to turn on besides those that are on by default. Default: none. */
  readonly enableAdmissionPlugins?: readonly string[];
  /** Names of plugins to turn off. Default: none. */
  readonly disableAdmissionPlugins?: readonly string[];
  /** Path of an AdmissionConfiguration with the configurations of plugins. Default: none. */
  readonly admissionControlConfigFile?: string;
}
