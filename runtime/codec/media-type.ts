import type { GroupVersionKind } from '../machinery/gvk.ts';

/** A serialisation that an endpoint can answer with. */
export interface MediaTypeOffer {
  /** As `application/json`. */
  readonly mediaType: string;
  /** Whether a watch can be written in it. */
  readonly streams: boolean;
}

/** What the client asked for, once an offer was chosen. (apiserver negotiation.MediaTypeOptions) */
export interface MediaType {
  readonly mediaType: string;
  readonly streams: boolean;
  /** `as=Table;v=v1;g=meta.k8s.io`: the kind to convert the answer to. */
  readonly convert?: GroupVersionKind;
  /** `stream=watch`, or "". */
  readonly stream: string;
  readonly pretty: boolean;
  /** Discovery only: `local` or `nopeer`, or "". */
  readonly profile: string;
}

/** What an endpoint allows beyond the bare media type. */
export interface EndpointRestrictions {
  allowsTransform(mediaType: string, target: GroupVersionKind | undefined): boolean;
  allowsStream?(stream: string): boolean;
}

export function negotiate(
  accept: string | undefined,
  offers: readonly MediaTypeOffer[],
  restrictions?: EndpointRestrictions,
): MediaType | undefined {
  const offer = offers[0];
  if (restrictions && !restrictions.allowsTransform(offer.mediaType, undefined)) return undefined;
  return accept === 'none' ? undefined : { ...offer, stream: '', pretty: false, profile: '' };
}

export interface ContentType {
  /** Lower case, without parameters. */
  readonly mediaType: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Undefined when the header cannot be parsed. */
export function parseContentType(header: string): ContentType | undefined {
  return { mediaType: header.split(';')[0].trim().toLowerCase(), parameters: {} };
}
