import { BoundedMap } from '../machinery/collections/bounded-map.ts';

/** One media range of an Accept header. */
export interface AcceptClause {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
  /** All parameters except q, by name. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** Up to this number, clauses are sorted as Go's insertion sort does. No well-behaved client sends more. */
const fewClauses = 12;

/**
 * The clauses of an Accept header in order of preference. Clauses that are not `type/subtype` and parameters without a
 * value are ignored. A quality of 0 only puts a clause last, as upstream. (munnerz/goautoneg)
 */
export function parseAccept(header: string): readonly AcceptClause[] {
  let clauses = parsed.get(header);
  if (clauses === undefined) {
    clauses = parseClauses(header);
    if (header.length <= maxCachedLength) parsed.set(header, clauses);
  }
  return clauses;
}

/** A client sends the same header with every request, and there are few kinds of clients. */
const parsed = new BoundedMap<string, readonly AcceptClause[]>(200);
const maxCachedLength = 500;

function parseClauses(header: string): AcceptClause[] {
  const clauses: AcceptClause[] = [];
  for (let start = 0; start <= header.length; ) {
    const comma = header.indexOf(',', start);
    const end = comma < 0 ? header.length : comma;
    // ignore empty clauses
    const clause = end === start ? undefined : parseClause(header.slice(start, end));
    if (clause !== undefined) clauses.push(clause);
    start = end + 1;
  }
  if (clauses.length > fewClauses) return clauses.sort((a, b) => Number(before(b, a)) - Number(before(a, b)));
  // `before` is not a strict order, so the result depends on the steps of the sort.
  for (let i = 1; i < clauses.length; i++) {
    for (let j = i; j > 0 && before(clauses[j], clauses[j - 1]); j--) {
      [clauses[j], clauses[j - 1]] = [clauses[j - 1], clauses[j]];
    }
  }
  return clauses;
}

function before(a: AcceptClause, b: AcceptClause): boolean {
  if (a.quality > b.quality) return true;
  if (a.type !== '*' && b.type === '*') return true;
  return a.subtype !== '*' && b.subtype === '*';
}

function parseClause(part: string): AcceptClause | undefined {
  const [range, ...rest] = part.split(';');
  const names = range.split('/').map((name) => name.trim());
  if (names.length === 1 && names[0] === '*') names.push('*');
  if (names.length !== 2) return undefined;
  const parameters = new Map<string, string>();
  let quality = 1;
  for (const pair of rest) {
    const [name, value, ...more] = pair.split('=');
    if (value === undefined || value === '' || more.length > 0) continue;
    if (name.trim() === 'q') quality = Number(value.trim()) || 0;
    else parameters.set(name.trim(), value.trim());
  }
  return { type: names[0], subtype: names[1], quality, parameters };
}
