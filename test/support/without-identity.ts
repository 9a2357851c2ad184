/** Options of a server that renews no Lease every ten seconds, for tests that count revisions. */
export const withoutIdentity = { featureGates: ['APIServerIdentity=false'] };
