/** A difference that the tool reports: `a` is the reference, `b` is this server. */
export interface Difference {
  /** What differs, as `status-code`, `message`, `causes`, `openapi`. */
  readonly kind: string;
  readonly op: string;
  readonly seed: number;
  readonly step: number;
  readonly request: string;
  readonly path: string;
  readonly a: string;
  readonly b: string;
}

/** A difference that is meant, or that is the reference's own. docs/differences.md says why, under the same name. */
export interface Cause {
  readonly name: string;
  matches(difference: Difference): boolean;
}

const accidents = [
  'content is not a list',
  'resourceVersion: Invalid value: "abc"',
  "Object 'apiVersion' is missing",
  'failed to create typed patch object',
];

export const causes: readonly Cause[] = [
  {
    name: 'An error of the client is a 4xx, not a 500',
    matches: ({ kind, a, b }) =>
      kind === 'status-code' && a.startsWith('500 ') && /^4\d\d /.test(b) && accidents.some((text) => a.includes(text)),
  },
  {
    name: 'Scale is not in the scheme of the reference',
    matches: ({ op, a }) =>
      op === 'scale' &&
      /no kind is registered for the type v1\.Scale|to an invalid group\/version: autoscaling/.test(a),
  },
  {
    name: 'The reference links json-patch v5',
    matches: ({ op, kind, a, b }) =>
      op === 'jsonPatch' &&
      kind === 'status-code' &&
      ((a.startsWith('400 ') && b.startsWith('422 ')) || (a.startsWith('422 ') && b.startsWith('200 '))),
  },
  {
    name: 'The reference checks formats of numbers as v1.36',
    matches: ({ kind, a }) =>
      /Checked value must be of type|in body must be of type (?:float|double|u?int\d+): /.test(a) ||
      (kind === 'crd-warning' && /unrecognized format \\?"int16/.test(a)),
  },
  {
    name: 'A later Go words errors of JSON differently',
    matches: ({ kind, a }) =>
      kind === 'message' && /invalid escape sequence|invalid character '[^']*' (?:in string \(|looking for)/.test(a),
  },
  {
    name: 'The name of a scheme has the path of its source',
    matches: ({ kind, a, b }) => kind === 'message' && a.replaceAll('"k8s.io/apimachinery/', '"') === b,
  },
  {
    name: 'Members of objects stand in another order',
    matches: ({ kind, a, b }) =>
      (kind === 'message' || kind === 'causes') && [a, b].every((text) => text.includes("Object 'Kind' is missing in")),
  },
  {
    name: 'OpenAPI has what is new in v1.36',
    matches: ({ kind, a }) => kind === 'openapi' && /shard/i.test(a),
  },
  {
    name: 'Descriptions that no package has',
    matches: ({ kind, path }) =>
      ['openapi', 'table', 'watch', 'replay'].includes(kind) && path.endsWith('.description'),
  },
];

/** Differences by cause; those without one under `undefined`. Causes of a 422 belong to its message. */
export function sortByCause(differences: readonly Difference[]): Map<string | undefined, Difference[]> {
  const sorted = new Map<string | undefined, Difference[]>();
  const ofMessages = new Map<string, string | undefined>();
  for (const difference of differences) {
    const response = `${difference.seed} ${difference.step} ${difference.request}`;
    const own = causes.find((cause) => cause.matches(difference))?.name;
    const name = own ?? (difference.kind === 'causes' ? ofMessages.get(response) : undefined);
    if (difference.kind === 'message') ofMessages.set(response, name);
    const same = sorted.get(name);
    if (same === undefined) sorted.set(name, [difference]);
    else same.push(difference);
  }
  return sorted;
}
