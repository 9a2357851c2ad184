import type { MediaTypeOffer } from '../codec/media-type.ts';
import { routeNotAcceptable, routeUnsupportedMediaType } from '../machinery/errors/status.ts';
import type { ApiContext } from './context.ts';
import { streamTypeOf } from './negotiation.ts';

/** The media types of a route. Without `consumes`, bodies may have any type. */
export interface RouteMediaTypes {
  readonly produces: readonly string[];
  readonly consumes?: readonly string[];
}

/**
 * Checks the media types of a request as the router of the API does before it calls a handler. Unlike the handlers, it
 * ignores parameters of media types, and the only range that it knows is that of all types. (go-restful jsr311.go
 * detectRoute, route.go)
 *
 * @throws StatusError 406, 415
 */
export function requireRoute({ method, req }: ApiContext, { produces, consumes }: RouteMediaTypes): void {
  const { accept = '', 'content-type': contentType = '' } = req.headers;
  if (consumes !== undefined) {
    // such requests usually have no body
    const needsNone = contentType === '' && (method === 'GET' || method === 'DELETE');
    if (!needsNone && !names(contentType, consumes)) throw routeUnsupportedMediaType();
  }
  if (accept !== '' && !names(accept, produces, everything)) throw routeNotAcceptable(produces);
}

const everything = '*/*';

/** @param other another media type to accept */
function names(header: string, mediaTypes: readonly string[], other = ''): boolean {
  if (mediaTypes.includes(header)) return true;
  for (let start = 0; start < header.length; ) {
    const comma = header.indexOf(',', start);
    const end = comma < 0 ? header.length : comma;
    // a header may consist of commas
    if (end - start >= everything.length) {
      const mediaType = header.slice(start, end).split(';', 1).join().trim();
      if (mediaType === other || mediaTypes.includes(mediaType)) return true;
    }
    start = end + 1;
  }
  return false;
}

/** The media types that routes of built-in resources produce. */
export interface ProducedTypes {
  readonly object: readonly string[];
  /** The media types of a list, which may be a watch. */
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
