import { chmod, mkdir, readdir, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Pod, Volume } from '../../../generated/v1.35/core/v1/types.ts';
import type { Clock } from '../../machinery/clock.ts';
import type { ClusterObjects } from '../cluster-objects.ts';
import { type FileContent, volumeFiles } from '../volumes/volume-files.ts';
import { MountError, VolumeSpace } from '../volumes/volume-space.ts';
import { below } from './inside.ts';

/** A token of a pod's service account. */
export interface PodToken {
  readonly token: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

export type IssueToken = (pod: Pod, wanted: { readonly audience: string | undefined; readonly seconds: number }) => Promise<PodToken>;

export interface ObjectVolumeOf {
  /** Returns the pod as it is now. */
  pod(): Pod;
  readonly objects: ClusterObjects;
  readonly clock: Clock;
  readonly issueToken: IssueToken;
}

const defaultMode = 0o644;
/** Seconds. (defaults of ServiceAccountTokenProjection) */
const defaultExpiration = 3600;

interface KnownToken extends PodToken {
  /** The time from which a new token is wanted. */
  readonly renewAt: number;
}

/**
 * A volume of real files that shows objects, and follows them. Readers see one state of all files, by the links of a
 * kubelet: `key` leads to `..data/key`, and `..data` to a folder that is replaced. (pkg/volume/util/atomic_writer.go)
 */
export class ObjectVolume {
  readonly folder: string;
  readonly #volume: Volume;
  readonly #given: ObjectVolumeOf;
  readonly #tokens = new Map<number, KnownToken>();
  #shown: ReadonlyMap<string, FileContent> | undefined;
  #count = 0;

  constructor(folder: string, volume: Volume, given: ObjectVolumeOf) {
    this.folder = folder;
    this.#volume = volume;
    this.#given = given;
  }

  /** Writes what has changed. @throws MountError */
  async refresh(): Promise<void> {
    const { objects } = this.#given;
    const pod = this.#given.pod();
    const files = new Map(volumeFiles(this.#volume, { pod, objects, space: new VolumeSpace() }));
    for (const [path, token] of await this.#tokenFiles(pod)) files.set(path, token);
    if (this.#shown !== undefined && isSame(files, this.#shown)) return;
    await this.#write(files);
    this.#shown = files;
  }

  async #tokenFiles(pod: Pod): Promise<[string, FileContent][]> {
    const files: [string, FileContent][] = [];
    for (const [at, { serviceAccountToken: source }] of (this.#volume.projected?.sources ?? []).entries()) {
      if (!source) continue;
      const { path, audience, expirationSeconds = defaultExpiration } = source;
      files.push([
        path,
        { text: await this.#token(at, pod, { audience, seconds: Number(expirationSeconds) }), encoding: 'utf8', mode: 0o600 },
      ]);
    }
    return files;
  }

  /** Returns a token that is valid for a fifth of its time at least. (token_manager.go requiresRefresh) */
  async #token(at: number, pod: Pod, wanted: Parameters<IssueToken>[1]): Promise<string> {
    const { clock, issueToken } = this.#given;
    const now = clock.now();
    const known = this.#tokens.get(at);
    if (known !== undefined && now < known.renewAt) return known.token;
    const issued = await issueToken(pod, wanted);
    this.#tokens.set(at, { ...issued, renewAt: now + 0.8 * Math.min(issued.expiresAt - now, wanted.seconds * 1000) });
    return issued.token;
  }

  async #write(files: ReadonlyMap<string, FileContent>): Promise<void> {
    const { configMap, secret, downwardAPI, projected } = this.#volume;
    const mode = (configMap ?? secret ?? downwardAPI ?? projected)?.defaultMode ?? defaultMode;
    await mkdir(this.folder, { recursive: true, mode: 0o755 });
    const before = await readlink(join(this.folder, '..data')).catch(() => undefined);
    const name = `..state_${++this.#count}`;
    const state = join(this.folder, name);
    await rm(state, { recursive: true, force: true });
    await mkdir(state);
    for (const [path, { text, encoding, mode: own }] of files) {
      const file = below(state, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, Buffer.from(text, encoding), { flag: 'wx' });
      await chmod(file, (own ?? mode) & 0o777);
    }
    const link = join(this.folder, '..data_tmp');
    await rm(link, { force: true });
    await symlink(name, link);
    await rename(link, join(this.folder, '..data'));
    await this.#link(new Set([...files.keys()].map((path) => path.split('/')[0] ?? '')));
    if (before !== undefined && /^\.\.state_\d+$/.test(before)) await rm(join(this.folder, before), { recursive: true, force: true });
  }

  async #link(wanted: ReadonlySet<string>): Promise<void> {
    const there = new Set(await readdir(this.folder));
    for (const name of there) if (!name.startsWith('..') && !wanted.has(name)) await rm(join(this.folder, name), { force: true });
    for (const name of wanted) if (!there.has(name)) await symlink(join('..data', name), join(this.folder, name));
  }
}

/** Reports whether a volume shows objects. */
export const showsObjects = ({ configMap, secret, downwardAPI, projected }: Volume): boolean =>
  [configMap, secret, downwardAPI, projected].some((source) => source !== undefined && source !== null);

/** Refreshes volumes; content that cannot be read any more stays. */
export async function refreshAll(volumes: Iterable<ObjectVolume>): Promise<void> {
  for (const volume of volumes) {
    await volume.refresh().catch((error: unknown) => {
      if (!(error instanceof MountError)) throw error;
    });
  }
}

function isSame(a: ReadonlyMap<string, FileContent>, b: ReadonlyMap<string, FileContent>): boolean {
  if (a.size !== b.size) return false;
  for (const [path, { text, mode }] of a) if (b.get(path)?.text !== text || b.get(path)?.mode !== mode) return false;
  return true;
}
