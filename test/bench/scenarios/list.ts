import { RawConnection } from '../raw-client.ts';
import type { Report } from '../report.ts';
import type { Target } from '../target.ts';

/** The namespaces of the filled store, with their numbers of pods. */
export const namespaces = { small: 5_000, large: 50_000 } as const;

const accepts = {
  JSON: {},
  protobuf: { accept: 'application/vnd.kubernetes.protobuf' },
  Table: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
  gzip: { 'accept-encoding': 'gzip' },
};
const rounds = 3;

/**
 * Measures lists in every encoding, each against a bare server that sends the same bytes. The first list of an encoding
 * builds it.
 */
export async function list(report: Report, server: Target, limit: Target): Promise<void> {
  const [ours] = await server.open(1);
  const [theirs] = await limit.open(1);
  for (const [namespace, count] of Object.entries(namespaces)) {
    const path = `/api/v1/namespaces/${namespace}/pods`;
    for (const [form, headers] of Object.entries(accepts)) {
      const { first, again, bare } = await compare(ours, theirs, path, headers);
      const what = `LIST of ${count} pods, ${form}`;
      if (isMade(form)) report.row(`${what}, the first time`, `${Math.round(first)} ms, ${rate(count, first)}`, '', '');
      report.time(isMade(form) ? `${what}, again` : what, again, bare, form === 'JSON' ? 'at least 80%' : '');
    }
    const selected = await compare(ours, theirs, `${path}?labelSelector=rare%3Dyes`);
    report.time(`LIST of the 1% of ${count} pods with a label`, selected.again, selected.bare, '');
    const [paged, barePaged] = await comparePaged(ours, theirs, path);
    report.time(`LIST of ${count} pods in pages of 500`, paged, barePaged, '');
  }
  ours.close();
  theirs.close();
}

const rate = (count: number, ms: number): string => `${Math.round((count / ms) * 1000)} objects/s`;
const isMade = (form: string): boolean => form === 'protobuf' || form === 'Table';

async function timed(connection: RawConnection, request: Buffer): Promise<number> {
  const started = performance.now();
  const { status } = await connection.send(request);
  if (status !== 200) throw new Error(`responded with ${status}`);
  return performance.now() - started;
}

/**
 * Returns the shortest of some turns. Turns alternate with the limit, so that both have the same noise. The limit
 * compresses the same uncompressed bytes.
 */
async function compare(
  ours: RawConnection,
  theirs: RawConnection,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ first: number; again: number; bare: number }> {
  const { 'accept-encoding': _, ...plain } = headers;
  const started = performance.now();
  const { body } = await ours.send(RawConnection.request('GET', path, undefined, plain), true);
  const first = performance.now() - started;
  await load(theirs, '/same', body as Buffer);
  const request = RawConnection.request('GET', path, undefined, headers);
  const limit = RawConnection.request('GET', '/same', undefined, headers);
  let [again, bare] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let turn = 0; turn < rounds; turn++) {
    again = Math.min(again, await timed(ours, request));
    bare = Math.min(bare, await timed(theirs, limit));
  }
  return { first, again, bare };
}

const load = (theirs: RawConnection, path: string, body: Buffer): Promise<unknown> =>
  theirs.send(RawConnection.request('PUT', `/load?path=${encodeURIComponent(path)}`, body));

/** Requests all pages, one after the other. The limit sends the first page as often. */
async function comparePaged(ours: RawConnection, theirs: RawConnection, path: string): Promise<[number, number]> {
  const started = performance.now();
  const pages: Buffer[] = [];
  for (let next = ''; ; ) {
    const query = `?limit=500${next === '' ? '' : `&continue=${next}`}`;
    const { body } = await ours.send(RawConnection.request('GET', path + query), true);
    pages.push(body as Buffer);
    const found = /"continue":"([^"]+)"/.exec(pages[pages.length - 1].toString('latin1', 0, 1000));
    if (found === null) break;
    next = found[1];
  }
  const took = performance.now() - started;
  await load(theirs, '/page', pages[0]);
  const bare = RawConnection.request('GET', '/page');
  const bareStarted = performance.now();
  for (let page = 0; page < pages.length; page++) await theirs.send(bare, true);
  return [took, performance.now() - bareStarted];
}
