import type { MediaTypeOffer } from '../codec/media-type.ts';
import { routeNotAcceptable, routeUnsupportedMediaType } from '../machinery/errors/status.ts';
import type { ApiContext } from './context.ts';
import { streamTypeOf } from './negotiation.ts';

/** The media types of a route. Without `consumes`, bodies may have any. */
export interface RouteMediaTypes {
  readonly produces: readonly string[];
  readonly consumes?: readonly string[];
}

/**
 * Checks what the router of the API checks before it calls a handler. Unlike the handlers, it ignores parameters of media
 * types, and the only range of them that it knows is that of all. (go-restful jsr311.go detectRoute, route.go)
 *
 * @throws StatusError 406, 415
 */
export function requireRoute({ method, req }: ApiContext, { produces, consumes }: RouteMediaTypes): void {
  const { accept = '', 'content-type': contentType = '' } = req.headers;
  if (consumes !== undefined) {
    // these usually have no body
    const needsNone = contentType === '' && (method === 'GET' || method === 'DELETE');
    if (!needsNone && !names(contentType, consumes)) throw routeUnsupportedMediaType();
  }
  if (accept !== '' && !names(accept, produces) && !names(accept, everything)) throw routeNotAcceptable(produces);
}

const everything = ['*/*'];

function names(header: string, mediaTypes: readonly string[]): boolean {
  if (mediaTypes.includes(header)) return true;
  return header.split(',').some((part) => mediaTypes.includes(part.split(';', 1)[0].trim()));
}

/** What the routes of built-in resources produce. */
export interface ProducedTypes {
  readonly object: readonly string[];
  /** A list may be a watch. */
  readonly list: readonly string[];
}

const known = new WeakMap<readonly MediaTypeOffer[], ProducedTypes>();

/** (apiserver pkg/endpoints/handlers/negotiation MediaTypesForSerializer) */
export function producedTypes(offers: readonly MediaTypeOffer[]): ProducedTypes {
  let produced = known.get(offers);
  if (produced === undefined) {
    const object = offers.map(({ mediaType }) => mediaType);
    const streams = offers.filter((one) => one.streams).map(({ mediaType }) => streamTypeOf(mediaType));
    produced = { object, list: [...object, ...streams] };
    known.set(offers, produced);
  }
  return produced;
}
