/** How many requests run at once, and for how long. (kube-apiserver: pkg/server/options/server_run_options.go) */
export interface LimitOptions {
  /** Whether FlowSchemas and PriorityLevelConfigurations limit requests. Default: true. Otherwise two plain limits do. */
  readonly priorityAndFairness?: boolean | undefined;
  /** The most concurrent read requests. Default: 400. With priority and fairness, the two limits add up to the number of seats. */
  readonly maxRequestsInFlight?: number | undefined;
  /** The most concurrent mutating requests. Default: 200. */
  readonly maxMutatingRequestsInFlight?: number | undefined;
  /**
   * Worker threads run writes whose body, or the object that they change, has at least this many bytes. Default: 64 KiB.
   * With Infinity, all requests run on the event loop, and requests that would block it are rejected.
   */
  readonly workerThreshold?: number | undefined;
  /** The most watches and other long-running requests of one user; 0 for no limit. Default: 10,000. */
  readonly maxWatchesPerUser?: number | undefined;
  /** The timeout of requests that are not long-running, in milliseconds. Default: one minute. */
  readonly requestTimeout?: number | undefined;
  /** The shortest time of watches without timeoutSeconds, in seconds; the longest is twice that. Default: half an hour. */
  readonly minRequestTimeout?: number | undefined;
  /** Milliseconds between the failure of /readyz and the closing of the port. Default: 0. */
  readonly shutdownDelay?: number | undefined;
  /** Milliseconds that running requests have to finish when the server stops. Default: 10 s. */
  readonly drainTimeout?: number | undefined;
}
