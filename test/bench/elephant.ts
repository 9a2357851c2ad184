import { type Credentials, hammer, RawConnection } from './raw-client.ts';

/** What a client that knows no measure is told to do. */
export interface ElephantOrder {
  readonly credentials: Credentials;
  readonly connections: number;
  /** The whole request. */
  readonly request: string;
  readonly ms: number;
}

// a process of its own, so that the mouse beside it is not measured through the elephant's event loop
process.once('message', async (order: ElephantOrder) => {
  const { credentials, connections, request, ms } = order;
  const open = await Promise.all(Array.from({ length: connections }, () => RawConnection.open(credentials)));
  process.send?.('ready');
  const bytes = Buffer.from(request);
  const { latencies } = await hammer(open, ms, () => bytes);
  process.send?.(latencies.length);
  for (const connection of open) connection.close();
  process.disconnect();
});
