import { BoundedMap } from '../machinery/collections/bounded-map.ts';

/** One media range of an Accept header. */
export interface AcceptClause {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
  /** Parameters but q, by name. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** Up to this many clauses are ordered as Go's insertion sort orders them; more come from no client in good faith. */
const fewClauses = 12;

/**
 * The clauses of an Accept header, the most wanted first. What is not `type/subtype` is left out, as are
 * parameters without a value. A quality of 0 only puts a clause last, as upstream. (munnerz/goautoneg)
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
    // nothing between commas is no clause
    const clause = end === start ? undefined : parseClause(header.slice(start, end));
    if (clause !== undefined) clauses.push(clause);
    start = end + 1;
  }
  if (clauses.length > fewClauses) return clauses.sort((a, b) => Number(before(b, a)) - Number(before(a, b)));
  // `before` is no order in the strict sense, so the steps of the sort matter.
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
