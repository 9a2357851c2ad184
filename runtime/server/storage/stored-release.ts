import { defaultRelease } from '../../machinery/release.ts';
import { OptionError } from '../../options/server-options.ts';
import type { Engine } from '../../storage/kv/engine.ts';

/**
 * The key of the objects' release. A store without it is empty, or has objects of the default release. The value has
 * the form of an object, so that backups include it.
 */
const key = '/registry/kubeloom/release';

/**
 * Claims a store on disk for a release. Stored objects are sent to clients unchanged, so another release must not read
 * them.
 *
 * @throws OptionError if the store has objects of another release
 */
export async function claimStore(engine: Engine, release: string, dataDir: string): Promise<void> {
  const stored = await engine.get(key);
  const found = stored === undefined ? formerRelease(engine, release) : JSON.parse(Buffer.from(stored.value).toString()).release;
  if (found !== release) {
    throw new OptionError(
      `--kubernetes-version: ${dataDir} has objects of Kubernetes ${found}; serve them with --kubernetes-version=${found.slice(1)}, or choose another --data-dir`,
    );
  }
  if (stored !== undefined || release === defaultRelease) return;
  await engine.write({
    type: 'put',
    key,
    value: Buffer.from(JSON.stringify({ ...storedRelease, release })),
    expect: 0,
  });
}

const formerRelease = (engine: Engine, release: string): string => (engine.revision() === 1 ? release : defaultRelease);

const storedRelease = { kind: 'StoredRelease', apiVersion: 'kubeloom/v1', metadata: { name: 'release' } };
