/** What one validation decides about a write. (policy/validating PolicyDecision) */
export interface PolicyDecision {
  readonly action: 'admit' | 'deny';
  readonly evaluation: 'admit' | 'deny' | 'error';
  /** "" if the write is admitted. */
  readonly message: string;
  /** In seconds. */
  readonly elapsed: number;
  /** Of the response. Default: Invalid. */
  readonly reason?: string;
}

/** (policy/validating PolicyAuditAnnotation) */
export interface AuditAnnotationResult {
  readonly key: string;
  readonly action: 'publish' | 'error' | 'exclude';
  /** Of an annotation to be published. */
  readonly value?: string;
  readonly error?: string;
  /** In seconds. */
  readonly elapsed: number;
}

/** What a policy decides about a write, with one object of parameters. */
export interface ValidateResult {
  readonly decisions: readonly PolicyDecision[];
  readonly auditAnnotations: readonly AuditAnnotationResult[];
}

const codes: Readonly<Record<string, number>> = {
  Forbidden: 403,
  Unauthorized: 401,
  RequestEntityTooLarge: 413,
};

/** The code of a response with this reason. (reasonToCode) */
export const codeOf = (reason: string): number => codes[reason] ?? 422;
