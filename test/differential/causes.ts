/** A difference from the tool: `a` is the reference, `b` is this server. */
export interface Difference {
  /** The differing part: `status-code`, `message`, `causes`, `openapi`. */
  readonly kind: string;
  readonly op: string;
  readonly seed: number;
  readonly step: number;
  readonly request: string;
  readonly path: string;
  readonly a: string;
  readonly b: string;
  /** In CBOR: the reference has stored whole numbers of the object as floats. */
  readonly hasFloats?: boolean;
}

/** An intended difference, or one caused by the reference. docs/differences.md has the reason under the same name. */
export interface Cause {
  readonly name: string;
  matches(difference: Difference): boolean;
}

const rejected = 'the server rejected our request due to an error in our request';

/** Returns the object's name in a request in the tool's format: `PUT /apis/G/v1/namespaces/N/foxes/a1/status?...`. */
export const nameIn = (request: string): string | undefined =>
  /^[A-Z]+ \/apis\/[^/]+\/[^/]+\/(?:namespaces\/[^/]+\/|(?!namespaces\/))[^/?]+\/([^/?]+)/.exec(request)?.[1];

/** The cut in a message of this server, with the closing quotation mark of a cut text. */
const cut = /(?:\\*")?\.{3} \(\d+ (?:bytes|items|members)\)/;

/** A cut uid. The tool names only whole ones. */
const cutUid = /(uid\\*":\\*")[0-9a-f-]+(?=(?:\\*")?\.{3} \(\d+ bytes\))/g;

/** Reports whether `own` is the text of the reference except for cut values. */
export function isShortened(reference: string, own: string): boolean {
  const [first, ...rest] = own.replace(cutUid, '$1').split(cut);
  if (rest.length === 0 || !reference.startsWith(first)) return false;
  const last = rest.pop() as string;
  let at = first.length;
  for (const piece of rest) {
    const found = reference.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return reference.length > own.length && reference.slice(at).endsWith(last);
}

const texts: ReadonlySet<string> = new Set(['message', 'causes', 'crd-message', 'crd-causes', 'warning']);
const isText = (kind: string): boolean => texts.has(kind);

const times = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g;
const withoutTimes = (text: string): string => text.replace(times, 'T');

/** Compares ages of a few seconds: `3s`. */
const areNear = (a: string, b: string): boolean =>
  [a, b].every((age) => /^\d+s$/.test(age)) && Math.abs(Number.parseInt(a, 10) - Number.parseInt(b, 10)) <= 2;

export const causes: readonly Cause[] = [
  {
    name: 'The reference links json-patch v5',
    matches: ({ kind, a, b }) =>
      (kind === 'status-code' && a.startsWith('400 BadRequest: invalid operation') && !b.startsWith('400 ')) ||
      (kind === 'status-code' && a.startsWith(`422 Invalid: ${rejected}`) && !b.startsWith('422 ')) ||
      (kind === 'message' && a === rejected && b.includes(' is invalid: ')) ||
      // this server refuses the patched object
      (kind === 'message' && a.startsWith('invalid operation {')),
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
      kind === 'message' &&
      /invalid escape sequence|invalid character '[^']*' (?:in string \(|looking for)|into Patch\.\d+ of type|json parse error: exceeded max depth/.test(
        a,
      ),
  },
  {
    name: 'The name of a scheme has the path of its source',
    matches: ({ kind, a, b }) =>
      (kind === 'message' || kind === 'webhook') && a.replaceAll(/"k8s\.io\/api(?:machinery|server)\//g, '"') === b,
  },
  {
    name: 'Members of objects stand in another order',
    matches: ({ kind, a, b }) =>
      (kind === 'message' || kind === 'causes') && [a, b].every((text) => /Object '(?:Kind|apiVersion)' is missing in/.test(text)),
  },
  {
    name: 'Long values are shortened',
    matches: ({ kind, a, b }) => isText(kind) && isShortened(withoutTimes(a), withoutTimes(b)),
  },
  {
    name: 'Messages quote the times of objects',
    matches: ({ kind, a, b }) => isText(kind) && withoutTimes(a) === withoutTimes(b),
  },
  {
    name: 'Ages in watches and tables are a matter of time',
    matches: ({ kind, path, a, b }) => ['watch', 'replay', 'table'].includes(kind) && /cells\[\d+\]$/.test(path) && areNear(a, b),
  },
  {
    name: 'Errors about built-in kinds in CBOR name the field',
    matches: ({ kind, a }) =>
      /message|warning/.test(kind) &&
      /cbor: cannot unmarshal [^"]* into Go struct field v1\.(?!TypeMeta)|cbor: found unknown field at map element/.test(a),
  },
  {
    name: 'Empty partial lists have the version of the whole store',
    matches: ({ kind, op, request, path, a, b }) =>
      kind === 'partial' &&
      op === 'partial' &&
      path === 'metadata.resourceVersion' &&
      nameIn(request) === undefined &&
      [a, b].includes('new'),
  },
  {
    name: 'Managed fields round large numbers',
    matches: ({ path, a, b }) => /managedFields.*\.(?:v:|k:\{.*:)-?\d{16,}/.test(path) && [a, b].includes('(absent)'),
  },
  {
    name: 'Stored whole numbers stay floats in CBOR',
    matches: ({ kind, path, hasFloats = false }) =>
      hasFloats && (['generation', 'resourceVersion'].includes(kind) || path.endsWith('metadata.generation')),
  },
  {
    name: 'CBOR has the limits of v1.35',
    matches: ({ kind, b }) => kind === 'status-code' && /cbor: exceeded max n/.test(b),
  },
  {
    name: 'A failing conversion makes watch caches start over',
    matches: ({ op, kind, a }) => kind === 'webhook' && op === 'list' && a.includes('storage is (re)initializing'),
  },
  {
    name: 'OpenAPI has what is new in v1.36',
    matches: ({ kind, path, a }) =>
      kind === 'openapi' && (/shard/i.test(a) || path.includes('.DeleteOptions.x-kubernetes-group-version-kind')),
  },
  {
    name: 'Descriptions that no package has',
    matches: ({ kind, path }) => ['openapi', 'table', 'watch', 'replay'].includes(kind) && path.endsWith('.description'),
  },
];

/** Parts that follow from the message or the status code of the same response. */
const followers: ReadonlySet<string> = new Set(['causes', 'details', 'warning', 'crd-causes']);

/**
 * Groups differences by cause; differences without one are under `undefined`. The rest of a Status belongs to its
 * message.
 */
export function sortByCause(differences: readonly Difference[]): Map<string | undefined, Difference[]> {
  const sorted = new Map<string | undefined, Difference[]>();
  const responseOf = ({ seed, step, request }: Difference): string => `${seed} ${step} ${request}`;
  const names = differences.map((difference) => causes.find((cause) => cause.matches(difference))?.name);
  const ofResponses = new Map<string, string | undefined>();
  for (const [i, difference] of differences.entries()) {
    if (/message|status-code/.test(difference.kind)) {
      ofResponses.set(responseOf(difference), names[i]);
    }
  }
  for (const [i, difference] of differences.entries()) {
    const name = names[i] ?? (followers.has(difference.kind) ? ofResponses.get(responseOf(difference)) : undefined);
    const same = sorted.get(name);
    if (same === undefined) sorted.set(name, [difference]);
    else same.push(difference);
  }
  return sorted;
}
