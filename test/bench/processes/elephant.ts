import { type Credentials, RawConnection } from '../raw-client.ts';

/** The first message to an unrestrained client. It replies 'ready' when its connections are open. */
export interface ElephantOrder {
  readonly credentials: Credentials;
  readonly connections: number;
  /** The whole request. */
  readonly request: string;
  /** The status of a successful response; default 200. */
  readonly status?: number;
}

/** Later messages, which start and stop the load. The client replies to a stop with its number of responses. */
export type ElephantWord = 'trample' | 'rest' | 'leave';

// a separate process, so that its event loop does not affect the mouse's measurements
process.once('message', async ({ credentials, connections, request, status: wanted = 200 }: ElephantOrder) => {
  const open: RawConnection[] = [];
  for (let at = 0; at < connections; at++) open.push(await RawConnection.open(credentials));
  const bytes = Buffer.from(request);
  let isTrampling = false;
  let responses = 0;
  let underWay = Promise.resolve<unknown>(undefined);
  const trample = async (connection: RawConnection): Promise<void> => {
    while (isTrampling) {
      const { status } = await connection.send(bytes);
      if (status !== wanted) throw new Error(`responded with ${status}`);
      responses++;
    }
  };
  process.on('message', async (word: ElephantWord) => {
    if (word === 'trample') {
      isTrampling = true;
      responses = 0;
      underWay = Promise.all(open.map(trample));
      return;
    }
    isTrampling = false;
    await underWay;
    if (word === 'rest') {
      process.send?.(responses);
      return;
    }
    for (const connection of open) connection.close();
    process.disconnect();
  });
  process.send?.('ready');
});
