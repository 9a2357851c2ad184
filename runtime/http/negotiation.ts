import { type EndpointRestrictions, type MediaType, type MediaTypeOffer, negotiate, parseContentType } from '../codec/media-type.ts';
import { elementAt } from '../machinery/collections/element-at.ts';
import { notAcceptable, unsupportedMediaType } from '../machinery/errors/status.ts';
import { parseGoBool } from '../machinery/go/bool.ts';
import type { ApiContext } from './context.ts';
import { queryValue } from './query-string.ts';

export const mediaTypes = {
  json: 'application/json',
  yaml: 'application/yaml',
  protobuf: 'application/vnd.kubernetes.protobuf',
  cbor: 'application/cbor',
  /** The media type of watches in CBOR. */
  cborSequence: 'application/cbor-seq',
} as const;

/** The media types of built-in resources, the default first. */
export const standardMediaTypes: readonly MediaTypeOffer[] = [
  { mediaType: mediaTypes.json, streams: true },
  { mediaType: mediaTypes.yaml, streams: false },
  { mediaType: mediaTypes.protobuf, streams: true },
];

/** The media types if the feature gate CBORServingAndStorage is enabled. */
const mediaTypesWithCbor: readonly MediaTypeOffer[] = [...standardMediaTypes, { mediaType: mediaTypes.cbor, streams: true }];

/** Returns the allowed media types of a response, including errors. */
export function supportedMediaTypes(ctx: ApiContext): readonly MediaTypeOffer[] {
  return ctx.state?.cborEnabled ? mediaTypesWithCbor : standardMediaTypes;
}

/**
 * Negotiates the media type of a response other than a watch. `pretty` combines the parameter of the media type, the
 * query parameter, and the user agents that get indented JSON by default. (apiserver
 * negotiation.NegotiateOutputMediaType)
 *
 * @throws StatusError 406
 */
export function negotiateOutput(ctx: ApiContext, supported: readonly MediaTypeOffer[], restrictions?: EndpointRestrictions): MediaType {
  const chosen = negotiate(ctx.req.headers.accept, supported, restrictions);
  if (!chosen) throw notAcceptable(supported.map((one) => one.mediaType));
  return chosen.pretty || !isPretty(ctx) ? chosen : { ...chosen, pretty: true };
}

/**
 * Negotiates the media type of a watch, beginning with the negotiation for a list. (apiserver
 * negotiation.NegotiateOutputMediaTypeStream)
 *
 * @throws StatusError 406
 */
export function negotiateStream(ctx: ApiContext, supported: readonly MediaTypeOffer[], restrictions?: EndpointRestrictions): MediaType {
  const chosen = negotiate(ctx.req.headers.accept, supported, restrictions);
  if (!chosen) throw notAcceptable(supported.map((one) => one.mediaType));
  if (!chosen.streams) {
    throw notAcceptable(supported.filter(({ streams }) => streams).map(({ mediaType }) => streamTypeOf(mediaType)));
  }
  return chosen;
}

/** Returns the media type of watches for a media type of objects. */
export const streamTypeOf = (mediaType: string): string =>
  mediaType === mediaTypes.cbor ? mediaTypes.cborSequence : `${mediaType};stream=watch`;

/**
 * Returns the media type of the body, without parameters. Without a Content-Type it is the first supported one.
 * (apiserver negotiation.NegotiateInputSerializer)
 *
 * @throws StatusError 415
 */
export function negotiateInput(ctx: ApiContext, supported: readonly MediaTypeOffer[]): string {
  const header = ctx.req.headers['content-type'];
  if (!header) return elementAt(supported, 0).mediaType;
  const mediaType = parseContentType(header)?.mediaType;
  if (mediaType === undefined || !supported.some((one) => one.mediaType === mediaType)) {
    throw unsupportedMediaType(supported.map((one) => one.mediaType));
  }
  return mediaType;
}

/** Returns the value of `?pretty`. Default: true for browsers and for the HTTP clients of the command line. */
export function isPretty(ctx: ApiContext): boolean {
  const asked = queryValue(ctx.state.query, 'pretty');
  if (asked) return parseGoBool(asked) === true;
  const agent = ctx.req.headers['user-agent'];
  return agent !== undefined && (agent.startsWith('curl') || agent.startsWith('Wget') || agent.startsWith('Mozilla/5.0'));
}
