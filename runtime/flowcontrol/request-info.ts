/** The fields of an http RequestInfo that flow control reads. (endpoints/request.RequestInfo) */
export interface RequestInfo {
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

/** Decoded query parameters: the values of each name, in order. */
export type RequestQuery = ReadonlyMap<string, readonly string[]>;

export function isMutating({ verb }: RequestInfo): boolean {
  return verb !== 'get' && verb !== 'list' && verb !== 'watch';
}
