export type Protocol = 'TCP' | 'UDP' | 'SCTP';

/** One end of a connection: an address, a port and a protocol. */
export interface Endpoint {
  /** An IP address. */
  readonly address: string;
  readonly port: number;
  readonly protocol: Protocol;
}
