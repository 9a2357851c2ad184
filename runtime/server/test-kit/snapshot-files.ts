import { writeFile } from 'node:fs/promises';
import type { KubeObject } from '../../machinery/object.ts';
import { requireOptions } from '../../machinery/options/check-options.ts';
import type { ServerOptions } from '../../options/server-options.ts';
import { inProcessUrl } from '../../serving/in-process-fetch.ts';
import type { SecureServing } from '../../serving/secure-serving.ts';
import { snapshotFileOptions } from '../../testkit/option-types.ts';
import type { SnapshotFiles } from '../../testkit/snapshot-file/snapshot-files.ts';
import type { Start } from './snapshot-file.ts';

/** @param start startServer */
export function snapshotFiles(connect: SecureServing['connect'], start: Start, options: ServerOptions): SnapshotFiles {
  let fresh: Promise<readonly KubeObject[]> | undefined;
  return {
    async saveSnapshot(path, fileOptions = {}) {
      requireOptions(snapshotFileOptions, fileOptions);
      const { freshObjects, snapshotFile } = await import('./snapshot-file.ts');
      const administrator = { server: inProcessUrl, connect };
      const objectsOfFresh = () => {
        fresh ??= freshObjects(start, options);
        return fresh;
      };
      await writeFile(path, await snapshotFile(administrator, objectsOfFresh, fileOptions));
    },
  };
}
