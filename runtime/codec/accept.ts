import { BoundedMap } from '../machinery/collections/bounded-map.ts';

/** One media range of an Accept header. */
export interface AcceptClause {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
  /** Parameters by name: only known ones, without q. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** Known parameters: the quality, the conversion, and options of the response. */
const knownParameters: ReadonlySet<string> = new Set(['q', 'as', 'g', 'v', 'stream', 'pretty', 'profile']);

/** The maximum number of clauses that are sorted like Go's insertion sort. Well-behaved clients do not send more. */
const fewClauses = 12;

/**
 * Returns the clauses of an Accept header in order of preference. Ignores clauses that are not `type/subtype`, and
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

/** Parsed headers. A client sends the same header with every request, and there are few kinds of clients. */
const parsed = new BoundedMap<string, readonly AcceptClause[]>(200);
const maxCachedLength = 500;

function parseClauses(header: string): AcceptClause[] {
  const texts: string[] = [];
  for (let start = 0; start <= header.length; ) {
    const comma = header.indexOf(',', start);
    const end = comma < 0 ? header.length : comma;
    // skip empty clauses
    if (end > start) texts.push(header.slice(start, end));
    start = end + 1;
  }
  const clauses: AcceptClause[] = [];
  // a header may have 200,000 clauses; repeated ones are never selected
  for (const text of texts.length > fewClauses ? new Set(texts) : texts) {
    const clause = parseClause(text);
    if (clause !== undefined) clauses.push(clause);
  }
  if (clauses.length > fewClauses) return clauses.sort((a, b) => Number(before(b, a)) - Number(before(a, b)));
  // `before` is not a strict order, so the result depends on the steps of the sort
  for (const [i, clause] of clauses.entries()) {
    let j = i;
    for (let other = clauses[j - 1]; other !== undefined && before(clause, other); other = clauses[j - 1]) {
      clauses[j--] = other;
    }
    clauses[j] = clause;
  }
  return clauses;
}

function before(a: AcceptClause, b: AcceptClause): boolean {
  if (a.quality > b.quality) return true;
  if (a.type !== '*' && b.type === '*') return true;
  return a.subtype !== '*' && b.subtype === '*';
}

/** Shared by the clauses without parameters, since a header may have 200,000 clauses. */
const noParameters: ReadonlyMap<string, string> = new Map();

function parseClause(part: string): AcceptClause | undefined {
  const semicolon = part.indexOf(';');
  const range = semicolon < 0 ? part : part.slice(0, semicolon);
  const slash = range.indexOf('/');
  if (slash < 0 ? range.trim() !== '*' : range.includes('/', slash + 1)) return undefined;
  const type = slash < 0 ? '*' : range.slice(0, slash).trim();
  const subtype = slash < 0 ? '*' : range.slice(slash + 1).trim();
  if (semicolon < 0) return { type, subtype, quality: 1, parameters: noParameters };
  return { type, subtype, ...parseParameters(part.slice(semicolon + 1)) };
}

function parseParameters(text: string): Pick<AcceptClause, 'quality' | 'parameters'> {
  const parameters = new Map<string, string>();
  let quality = 1;
  for (let start = 0; start < text.length; ) {
    const semicolon = text.indexOf(';', start);
    const end = semicolon < 0 ? text.length : semicolon;
    const pair = text.slice(start, end);
    start = end + 1;
    const equals = pair.indexOf('=');
    const name = equals < 0 ? '' : pair.slice(0, equals).trim();
    if (!knownParameters.has(name) || equals + 1 === pair.length || pair.includes('=', equals + 1)) continue;
    const value = pair.slice(equals + 1).trim();
    if (name === 'q') quality = Number(value) || 0;
    else parameters.set(name, value);
  }
  return { quality, parameters };
}
