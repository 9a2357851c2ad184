/** The decision of one validation about a write. (policy/validating PolicyDecision) */
export interface PolicyDecision {
  readonly action: 'admit' | 'deny';
  readonly evaluation: 'admit' | 'deny' | 'error';
  /** "" if the write is admitted. */
  readonly message: string;
  /** Seconds. */
  readonly elapsed: number;
  /** The reason of the response. Default: Invalid. */
  readonly reason?: string;
}

/** (policy/validating PolicyAuditAnnotation) */
export interface AuditAnnotationResult {
  readonly key: string;
  readonly action: 'publish' | 'error' | 'exclude';
  /** The value of an annotation to publish. */
  readonly value?: string;
  readonly error?: string;
  /** Seconds. */
  readonly elapsed: number;
}

/** The decisions of a policy about a write, with one object of parameters. */
export interface ValidateResult {
  readonly decisions: readonly PolicyDecision[];
  readonly auditAnnotations: readonly AuditAnnotationResult[];
}

const codes: Readonly<Record<string, number>> = {
  Forbidden: 403,
  Unauthorized: 401,
  RequestEntityTooLarge: 413,
};

/** Returns the HTTP status for a reason. (reasonToCode) */
export const codeOf = (reason: string): number => codes[reason] ?? 422;
