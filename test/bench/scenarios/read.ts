import { hammer, RawConnection } from '../raw-client.ts';
import type { Report } from '../report.ts';
import type { Target } from '../target.ts';
import { namespaces } from './list.ts';

const pods = '/api/v1/namespaces/small/pods';

/** Measures GET and LIST, in turns with the limit so that both have the same noise. */
export async function read(report: Report, server: Target, limit: Target): Promise<void> {
  const paths = { one: `${pods}/pod-17`, all: pods };
  const [loader] = await limit.open(1);
  const [reader] = await server.open(1);
  for (const path of Object.values(paths)) {
    const { body } = await reader.send(RawConnection.request('GET', path), true);
    await loader.send(RawConnection.request('PUT', `/load?path=${encodeURIComponent(path)}`, body));
  }
  const compare = async (path: string, connections: number, ms: number): Promise<[Rates, Rates]> => {
    const ours = await server.open(connections);
    const theirs = await limit.open(connections);
    const request = RawConnection.request('GET', path);
    const best: [Rates, Rates] = [none, none];
    for (let round = 0; round < 5; round++) {
      best[0] = faster(best[0], await hammer(ours, ms, () => request));
      best[1] = faster(best[1], await hammer(theirs, ms, () => request));
    }
    for (const connection of [...ours, ...theirs]) connection.close();
    return best;
  };
  const [get, getLimit] = await compare(paths.one, 16, 1_500);
  report.rate('GET, 16 at once', get.perSecond, getLimit.perSecond, '/s', 'at least 50%');
  for (const connections of [1, 4]) {
    const [list, listLimit] = await compare(paths.all, connections, 2_000);
    const what = `LIST of ${namespaces.small} pods, ${connections} at once`;
    report.rate(what, list.megabytesPerSecond, listLimit.megabytesPerSecond, 'MB/s', 'at least 80%');
  }
  loader.close();
  reader.close();
}

interface Rates {
  readonly perSecond: number;
  readonly megabytesPerSecond: number;
}
const none: Rates = { perSecond: 0, megabytesPerSecond: 0 };
const faster = (a: Rates, b: Rates): Rates => (a.perSecond > b.perSecond ? a : b);
