export type RecordType = 'A' | 'AAAA' | 'CNAME' | 'PTR' | 'SRV' | 'NS' | 'SOA' | 'TXT' | 'MX' | 'ANY';

/** A resource record. */
export interface DNSRecord {
  /** The name, with a dot at its end. */
  readonly name: string;
  readonly type: RecordType;
  /** The data as dig prints it: `0 100 80 web.default.svc.cluster.local.` */
  readonly data: string;
}

/** The answer to a question. */
export interface DNSAnswer {
  readonly code: 'NOERROR' | 'NXDOMAIN' | 'SERVFAIL';
  readonly records: readonly DNSRecord[];
}
