export type Protocol = 'TCP' | 'UDP' | 'SCTP';

/** One end of a connection: an address, a port and a protocol. */
export interface Endpoint {
  /** An IP address. */
  readonly address: string;
  readonly port: number;
  readonly protocol: Protocol;
}

/** Reports whether an address leads back to the pod or the node that dials it. */
export const leadsBack = (address: string): boolean => address === '127.0.0.1' || address === '::1';
