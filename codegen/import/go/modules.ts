import { dirname, join, relative, resolve, sep } from 'node:path';
import { readIfPresent } from '../../load/files.ts';
import { ImportError } from '../source.ts';

interface GoModule {
  readonly path: string;
  /** The version of k8s.io/apimachinery, with Kubernetes' minor and patch: `v0.35.1`. */
  readonly machinery?: string;
}

/** Finds the Go modules that folders belong to. */
export class GoModules {
  readonly #byFolder = new Map<string, Promise<GoModule | undefined>>();

  /** Returns the import path of the package in a folder; undefined if neither a go.mod nor the path determines it. */
  async packageOf(folder: string): Promise<string | undefined> {
    const absolute = resolve(folder);
    for (let at = absolute; at !== dirname(at); at = dirname(at)) {
      const module = await this.#at(at);
      if (module) return [module.path, ...relative(at, absolute).split(sep)].filter((part) => part !== '').join('/');
    }
    const parts = absolute.split(sep);
    const domain = parts.findLastIndex((part) => /^[a-z][a-z\d-]*(?:\.[a-z][a-z\d-]*)+$/.test(part));
    return domain < 0
      ? undefined
      : parts
          .slice(domain)
          .join('/')
          .replace(/@[^/]*/, '');
  }

  /**
   * Returns the version of Kubernetes of the k8s.io/... modules, as `v1.35.1`; undefined if none has a version.
   *
   * @throws ImportError if the modules have different minors
   */
  async kubernetesVersion(): Promise<string | undefined> {
    const found = new Map<string, string>();
    for (const module of await Promise.all(this.#byFolder.values())) {
      const [, minor, patch] = /^v0\.(\d+)\.(\d+)$/.exec(module?.machinery ?? '') ?? [];
      if (module && minor !== undefined && minor !== '0') found.set(module.path, `v1.${minor}.${patch}`);
    }
    const minors = new Map([...found].map(([path, version]) => [version.replace(/\.\d+$/, ''), path]));
    if (minors.size > 1) {
      const named = [...minors].map(([minor, path]) => `${path} of ${minor}`);
      throw new ImportError(`the Go modules are of different versions of Kubernetes: ${named.join(', ')}`);
    }
    const patches = [...new Set(found.values())];
    return patches.sort((one, other) => Number(one.split('.')[2]) - Number(other.split('.')[2])).at(-1);
  }

  #at(folder: string): Promise<GoModule | undefined> {
    const known = this.#byFolder.get(folder);
    if (known) return known;
    const read = readModule(folder);
    this.#byFolder.set(folder, read);
    return read;
  }
}

async function readModule(folder: string): Promise<GoModule | undefined> {
  const text = await readIfPresent(join(folder, 'go.mod'));
  const path = /^module\s+"?([^\s"]+)/m.exec(text ?? '')?.[1];
  if (text === undefined || path === undefined) return undefined;
  const required = path.startsWith('k8s.io/') ? /^(?:require)?\s*k8s\.io\/apimachinery\s+(v\S+)/m.exec(text)?.[1] : undefined;
  // The folders of Go's module cache end in the version.
  const machinery = path.startsWith('k8s.io/') ? (/@(v[\d.]+)$/.exec(folder)?.[1] ?? required) : undefined;
  return { path, ...(machinery === undefined ? {} : { machinery }) };
}
