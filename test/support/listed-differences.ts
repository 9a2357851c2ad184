import { readFileSync } from 'node:fs';

/** A request of docs/differences.md, with intentionally different responses of kube-apiserver and this server. */
export interface ListedDifference {
  /** The request as the document writes it. */
  readonly request: string;
  readonly method: string;
  /** The path after that of the custom resources, which have an object `x`. */
  readonly path: string;
  readonly body?: string;
  readonly contentType?: string;
  readonly accept: string;
  /** The status of kube-apiserver; undefined if it panics. */
  readonly upstream: number | undefined;
  /** The status of this server. */
  readonly own: number;
}

const text = readFileSync(new URL('../../docs/differences.md', import.meta.url), 'utf8');
const patchTypes: Readonly<Record<string, string>> = {
  merge: 'application/merge-patch+json',
  apply: 'application/apply-patch+yaml',
  'JSON patch': 'application/json-patch+json',
};

/** Returns the listed differences. @param type the apiVersion and kind of an applied object */
export function listedDifferences(type: { readonly apiVersion: string; readonly kind: string }): ListedDifference[] {
  const rows = text
    .slice(text.indexOf('## Kubeloom is better on purpose'))
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.slice(2).split(' | '));
  let previous: ListedDifference | undefined;
  return rows.map(([request, theirs, ours]) => {
    previous = { ...parse(request, type), ...statusesOf(theirs, ours, previous) };
    return previous;
  });
}

/** `PATCH {objects}/x` merge `{"a":null}`, with backquotes, or `GET {objects}` accepting a kind of meta.k8s.io. */
function parse(request: string, type: object): Omit<ListedDifference, 'upstream' | 'own'> {
  const parts = /^`(\S+) \{objects\}([^`]*)`(?: (accepting|merge|apply|JSON patch) `?([^`]+)`?)?$/.exec(request);
  if (parts === null) throw new Error(`docs/differences.md lists a request that cannot be sent: ${request}`);
  const [, method, path, how = '', what] = parts;
  const json = 'application/json';
  const accept = how === 'accepting' ? `${json};as=${what};v=v1;g=meta.k8s.io` : json;
  if (patchTypes[how] === undefined) return { request, method, path, accept };
  const body = how === 'apply' ? `${JSON.stringify(type).slice(0, -1)},${what}}` : what;
  const manager = how === 'apply' ? '?fieldManager=t' : '';
  return { request, method, path: path + manager, accept, body, contentType: patchTypes[how] };
}

function statusesOf(theirs: string, ours: string, previous: ListedDifference | undefined): Pick<ListedDifference, 'upstream' | 'own'> {
  const status = (cell: string): number => Number(/\d{3}/.exec(cell)?.[0]);
  const upstream = theirs === 'panics' ? undefined : status(theirs);
  if (theirs.startsWith('the same') && upstream !== previous?.upstream) throw new Error(`not the same: ${theirs}`);
  return { upstream, own: status(ours) };
}
