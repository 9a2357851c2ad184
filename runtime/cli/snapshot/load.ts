import { clientOptionsOf } from '../kubeconfig-flags.ts';
import type { SnapshotAction } from './action.ts';

export const load: SnapshotAction = {
  name: 'load',
  about: 'create the objects of a file on a server, or replace them',
  details: `Objects are written in an order in which they can be created, with their status, and get new uids. The file may be a folder, too,
or what kubectl get -o yaml printed. kubeloom serve --snapshot=FILE begins with exactly the objects of the file.
`,
  flags: [],
  async run(path, flags) {
    const [{ loadObjects }, { readFiles }, { RestClient }] = await Promise.all([
      import('../../testkit/fixtures/load.ts'),
      import('../../testkit/fixtures/read-files.ts'),
      import('../../client/rest-client.ts'),
    ]);
    const objects = await readFiles([path]);
    const client = new RestClient({ userAgent: 'kubeloom-snapshot', ...(await clientOptionsOf(flags)) });
    try {
      await loadObjects(client, objects);
    } finally {
      client.close();
    }
    process.stdout.write(`${objects.length} objects are on the server\n`);
  },
};
