/** The feature gates of Kubernetes that change what built-in kinds are, and what their controllers do. Default: off. */
export interface KindFeatures {
  /** A rolling update of a StatefulSet may replace several pods at once. */
  readonly MaxUnavailableStatefulSet?: boolean;
}
