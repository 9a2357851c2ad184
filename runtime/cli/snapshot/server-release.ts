import type { ClientOptions } from '../../client/options.ts';
import { RestClient } from '../../client/rest-client.ts';
import { releases } from '../../server/groups/releases.ts';

/** Returns the release of a server, such as `1.33`; undefined if this version of Kubeloom does not know it. */
export async function serverRelease(options: ClientOptions): Promise<string | undefined> {
  const client = new RestClient(options);
  try {
    const path = '/version';
    const { major, minor } = await client.request<{ major: string; minor: string }>({ method: 'GET', path });
    // cloud providers append a + to the minor version
    const release = `${major}.${Number.parseInt(minor, 10)}`;
    return releases().includes(`v${release}`) ? release : undefined;
  } finally {
    client.close();
  }
}
