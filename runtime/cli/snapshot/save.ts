import { writeFile } from 'node:fs/promises';
import type { ClientOptions } from '../../client/options.ts';
import type { ParsedFlags } from '../../machinery/options/flags.ts';
import { clientOptionsOf } from '../kubeconfig-flags.ts';
import type { SnapshotAction } from './action.ts';

export const save: SnapshotAction = {
  name: 'save',
  about: 'write all objects of a server to a file of YAML; - is stdout',
  details: `The file has one order of objects and of fields, so that git shows what has changed. Objects that every fresh server has,
and that nobody has changed, are left out, as are events, and what a server says of itself. Secrets are in it.
`,
  flags: [
    {
      name: 'portable',
      type: 'boolean',
      default: 'false',
      about: 'Leave out times, generations and managed fields, and make uids from names: the same in each run.',
    },
    { name: 'all', type: 'boolean', default: 'false', about: 'Include what every fresh server has or makes anew.' },
  ],
  async run(path, flags) {
    const client = await clientOptionsOf(flags);
    const text = await textOf(client, flags);
    if (path === '-') process.stdout.write(text);
    else await writeFile(path, text, { mode: 0o600 });
  },
};

async function textOf(client: ClientOptions, flags: ParsedFlags): Promise<string> {
  const [{ freshObjects, snapshotFile }, { startServer }, { serverRelease }] = await Promise.all([
    import('../../server/test-kit/snapshot-file.ts'),
    import('../../server/server.ts'),
    import('./server-release.ts'),
  ]);
  const kubernetes = await serverRelease(client);
  const options = { portable: flags.boolean('portable'), all: flags.boolean('all') };
  return snapshotFile(client, () => freshObjects(startServer, { kubernetes }), options);
}
