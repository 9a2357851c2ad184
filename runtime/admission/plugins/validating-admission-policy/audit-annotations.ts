/** The maximum length of an audit annotation's value, in bytes. */
const maxValueLength = 10 * 1024;

/** Audit annotations of one policy, from all its bindings. (policy/validating auditAnnotationCollector) */
export class AuditAnnotationCollector {
  readonly #values = new Map<string, Set<string>>();

  add(key: string, value: string): void {
    const bytes = Buffer.from(value);
    const text = bytes.length > maxValueLength ? bytes.toString('utf8', 0, maxValueLength) : value;
    const known = this.#values.get(key);
    if (known === undefined) this.#values.set(key, new Set([text]));
    else known.add(text);
  }

  /** Writes the annotations. Different values of one annotation are joined. */
  publish(policyName: string, annotate: (key: string, value: string) => void): void {
    for (const [key, values] of this.#values) annotate(`${policyName}/${key}`, [...values].join(', '));
  }
}
