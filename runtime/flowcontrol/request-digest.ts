/** What flow control reads of a request: the parsed URL has it all. */
export interface RequestDigest {
  readonly isResourceRequest: boolean;
  /** The decoded path. */
  readonly path: string;
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
}

/** Decoded query parameters, every value of a name in its order. */
export type RequestQuery = ReadonlyMap<string, readonly string[]>;

/** Whether the request may change something; the three reading verbs do not. */
export function isMutating({ verb }: RequestDigest): boolean {
  return verb !== 'get' && verb !== 'list' && verb !== 'watch';
}
