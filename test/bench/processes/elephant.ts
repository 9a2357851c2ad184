import { type Credentials, RawConnection } from '../raw-client.ts';

/** What a client that knows no measure is told first; it says 'ready' when its connections are open. */
export interface ElephantOrder {
  readonly credentials: Credentials;
  readonly connections: number;
  /** The whole request. */
  readonly request: string;
  /** Of a right answer; default 200. */
  readonly status?: number;
}

/** Then it is told to trample, and to rest; to which it says how many answers it got. */
export type ElephantWord = 'trample' | 'rest' | 'leave';

// a process of its own, so that the mouse beside it is not measured through the elephant's event loop
process.once('message', async ({ credentials, connections, request, status: wanted = 200 }: ElephantOrder) => {
  const open: RawConnection[] = [];
  for (let at = 0; at < connections; at++) open.push(await RawConnection.open(credentials));
  const bytes = Buffer.from(request);
  let isTrampling = false;
  let answers = 0;
  let underWay = Promise.resolve<unknown>(undefined);
  const trample = async (connection: RawConnection): Promise<void> => {
    while (isTrampling) {
      const { status } = await connection.send(bytes);
      if (status !== wanted) throw new Error(`answered ${status}`);
      answers++;
    }
  };
  process.on('message', async (word: ElephantWord) => {
    if (word === 'trample') {
      isTrampling = true;
      answers = 0;
      underWay = Promise.all(open.map(trample));
      return;
    }
    isTrampling = false;
    await underWay;
    if (word === 'rest') {
      process.send?.(answers);
      return;
    }
    for (const connection of open) connection.close();
    process.disconnect();
  });
  process.send?.('ready');
});
