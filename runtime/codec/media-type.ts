import type { GroupVersionKind } from '../machinery/gvk.ts';
import { defined } from '../machinery/json/defined.ts';
import { type AcceptClause, parseAccept } from './accept.ts';

/** An encoding that an endpoint offers. */
export interface MediaTypeOffer {
  /** The media type: `application/json`. */
  readonly mediaType: string;
  /** Whether a watch can use it. */
  readonly streams: boolean;
}

/** The negotiated media type. (apiserver negotiation.MediaTypeOptions) */
export interface MediaType {
  /** The media type of the offer, without parameters. */
  readonly mediaType: string;
  readonly streams: boolean;
  /** The kind to which the response is converted: `as=Table;v=v1;g=meta.k8s.io`. Missing parts are "". */
  readonly convert?: GroupVersionKind;
  /** `stream=watch`, or "". */
  readonly stream: string;
  /** Whether the client requests `pretty=1`. */
  readonly pretty: boolean;
  /** `local` or `nopeer`, only for discovery; otherwise "". */
  readonly profile: string;
}

/** The parameters that an endpoint allows beside the plain media type. */
export interface EndpointRestrictions {
  /**
   * Reports whether this media type can carry the response converted to `target`, or unconverted if it is undefined.
   */
  allowsTransform(mediaType: string, target: GroupVersionKind | undefined): boolean;
  /** Reports whether `stream=` may have this value. Default: only `watch`. */
  allowsStream?(stream: string): boolean;
}

const onlyPlain: EndpointRestrictions = { allowsTransform: (_mediaType, target) => target === undefined };

/**
 * Selects an offer. Clauses of Accept are tried by quality and then by specificity; the first one that matches an offer
 * and that the endpoint allows decides. Without an Accept header, returns the first offer. Returns undefined if none
 * fits. (apiserver pkg/endpoints/handlers/negotiation/negotiate.go)
 *
 * @param restrictions default: no conversion, and no stream except a watch
 */
export function negotiate(
  accept: string | undefined,
  offers: readonly MediaTypeOffer[],
  restrictions: EndpointRestrictions = onlyPlain,
): MediaType | undefined {
  const [first] = offers;
  if (first && (accept === undefined || accept === '')) return { ...first, stream: '', pretty: false, profile: '' };
  if (accept === undefined) return undefined;
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

function withParameters({ parameters }: AcceptClause, offer: MediaTypeOffer, restrictions: EndpointRestrictions): MediaType | undefined {
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
    ...defined({ convert }),
    stream,
    pretty: get('pretty') === '1',
    profile: get('profile'),
  };
}

export interface ContentType {
  /** The media type in lower case, without parameters. */
  readonly mediaType: string;
  /** Parameters by name, in lower case. */
  readonly parameters: Readonly<Record<string, string>>;
}

const typePattern = /^\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+(?:\/[!#$%&'*+.^_`|~0-9A-Za-z-]+)?)\s*(?=;|$)/;
const parameterPattern = /;\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)=(?:([!#$%&'*+.^_`|~0-9A-Za-z-]+)|"((?:[^"\\]|\\.)*)")\s*/y;

/**
 * Parses a Content-Type header. Returns undefined where Go's mime.ParseMediaType fails: without a media type, or with a
 * parameter that has no value or two different ones.
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
    const name = (pair[1] ?? '').toLowerCase();
    const value = pair[2] ?? pair[3]?.replace(/\\(.)/g, '$1') ?? '';
    if (parameters.has(name) && parameters.get(name) !== value) return undefined;
    parameters.set(name, value);
    at = parameterPattern.lastIndex;
  }
  return { mediaType: (type[1] ?? '').toLowerCase(), parameters: Object.fromEntries(parameters) };
}
