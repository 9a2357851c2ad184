/** A named condition of a healthy server. (pkg/server/healthz HealthChecker) */
export interface HealthCheck {
  readonly name: string;
  /** Checks can also be excluded by the name of their group. */
  readonly group?: string;
  /** Throws or rejects if the check fails. */
  check(): void | Promise<void>;
}
