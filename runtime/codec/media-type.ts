import type { GroupVersionKind } from '../machinery/gvk.ts';
import { type AcceptClause, parseAccept } from './accept.ts';

/** A serialisation that an endpoint can answer with. */
export interface MediaTypeOffer {
  /** As `application/json`. */
  readonly mediaType: string;
  /** Whether a watch can be written in it. */
  readonly streams: boolean;
}

/** What the client asked for, once an offer was chosen. (apiserver negotiation.MediaTypeOptions) */
export interface MediaType {
  /** The offer's media type, without parameters. */
  readonly mediaType: string;
  readonly streams: boolean;
  /** `as=Table;v=v1;g=meta.k8s.io`: the kind to convert the answer to. Parts that were not given are "". */
  readonly convert?: GroupVersionKind;
  /** `stream=watch`, or "". */
  readonly stream: string;
  /** `pretty=1` */
  readonly pretty: boolean;
  /** Discovery only: `local` or `nopeer`, or "". */
  readonly profile: string;
}

/** What an endpoint allows beyond the bare media type. */
export interface EndpointRestrictions {
  /** Whether this media type may carry the answer converted to `target`; undefined is the answer as it is. */
  allowsTransform(mediaType: string, target: GroupVersionKind | undefined): boolean;
  /** Whether `stream=` may have this value; only `watch` may when absent. */
  allowsStream?(stream: string): boolean;
}

const onlyPlain: EndpointRestrictions = { allowsTransform: (_mediaType, target) => target === undefined };

/**
 * Chooses among the offers: the first clause of Accept, by quality and then by being exact, that matches an
 * offer and that the endpoint allows. The first offer when there is no Accept header, undefined when nothing
 * fits. (apiserver pkg/endpoints/handlers/negotiation/negotiate.go)
 *
 * @param restrictions default: no conversion, and no stream but a watch
 */
export function negotiate(
  accept: string | undefined,
  offers: readonly MediaTypeOffer[],
  restrictions: EndpointRestrictions = onlyPlain,
): MediaType | undefined {
  if (accept === undefined || accept === '') return { ...offers[0], stream: '', pretty: false, profile: '' };
  for (const clause of parseAccept(accept)) {
    for (const offer of offers) {
      if (!covers(clause, offer.mediaType)) continue;
      const chosen = withParameters(clause, offer, restrictions);
      if (chosen !== undefined) return chosen;
    }
  }
  return undefined;
}

function covers({ type, subtype }: AcceptClause, mediaType: string): boolean {
  if (type === '*') return subtype === '*';
  return subtype === '*' ? mediaType.startsWith(`${type}/`) : mediaType === `${type}/${subtype}`;
}

function withParameters(
  { parameters }: AcceptClause,
  offer: MediaTypeOffer,
  restrictions: EndpointRestrictions,
): MediaType | undefined {
  const get = (name: string): string => parameters.get(name) ?? '';
  const converts = parameters.has('as') || parameters.has('g') || parameters.has('v');
  const convert = converts ? { group: get('g'), version: get('v'), kind: get('as') } : undefined;
  const stream = get('stream');
  const allowsStream = restrictions.allowsStream ?? ((name: string) => name === 'watch');
  if (stream !== '' && !(offer.streams && allowsStream(stream))) return undefined;
  if (!restrictions.allowsTransform(offer.mediaType, convert)) return undefined;
  return {
    mediaType: offer.mediaType,
    streams: offer.streams,
    ...(convert === undefined ? {} : { convert }),
    stream,
    pretty: get('pretty') === '1',
    profile: get('profile'),
  };
}

export interface ContentType {
  /** Lower case, without parameters. */
  readonly mediaType: string;
  /** By lower-case name. */
  readonly parameters: Readonly<Record<string, string>>;
}

const typePattern = /^\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+(?:\/[!#$%&'*+.^_`|~0-9A-Za-z-]+)?)\s*(?=;|$)/;
const parameterPattern = /;\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)=(?:([!#$%&'*+.^_`|~0-9A-Za-z-]+)|"((?:[^"\\]|\\.)*)")\s*/y;

/**
 * Reads a Content-Type header. Undefined where Go's mime.ParseMediaType fails: no media type, a parameter
 * without a value or given twice.
 */
export function parseContentType(header: string): ContentType | undefined {
  const type = typePattern.exec(header);
  if (type === null) return undefined;
  const parameters = new Map<string, string>();
  let at = type[0].length;
  while (at < header.length && !/^;\s*$/.test(header.slice(at))) {
    parameterPattern.lastIndex = at;
    const pair = parameterPattern.exec(header);
    if (pair === null) return undefined;
    const name = pair[1].toLowerCase();
    if (parameters.has(name)) return undefined;
    parameters.set(name, pair[2] ?? pair[3].replace(/\\(.)/g, '$1'));
    at = parameterPattern.lastIndex;
  }
  return { mediaType: type[1].toLowerCase(), parameters: Object.fromEntries(parameters) };
}
