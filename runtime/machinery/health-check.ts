/** A named condition of a healthy server. (pkg/server/healthz HealthChecker) */
export interface HealthCheck {
  readonly name: string;
  /** The group of the check, which can be excluded by this name too. */
  readonly group?: string;
  /** Throws or rejects if the check fails. */
  check(): void | Promise<void>;
}
