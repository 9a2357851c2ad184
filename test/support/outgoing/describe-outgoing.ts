import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { HttpClient } from '../http-client.ts';
import { callers, OutgoingProbe } from './probe-run.ts';
import { wantedOutcomes } from './wanted.ts';

/** A server with outgoing requests, and a way to stop it. */
export interface OutgoingServer {
  readonly address: Parameters<typeof HttpClient.for>[0];
  stop(): Promise<void>;
}

/** Tests the results of a server's outgoing requests. @param start starts the server with the files of a probe */
export function describeOutgoing(start: (probe: OutgoingProbe) => Promise<OutgoingServer>): void {
  let probe: OutgoingProbe;
  let server: OutgoingServer;
  let http: HttpClient;

  beforeAll(async () => {
    probe = await OutgoingProbe.open();
    server = await start(probe);
    http = HttpClient.for(server.address);
  });
  afterAll(async () => {
    http?.close();
    await server?.stop();
    await probe?.close();
  });

  test.each(callers)('of %s end as those of kube-apiserver', async (caller) => {
    expect(await probe.run(caller, http)).toEqual(wantedOutcomes(caller));
  });
}
