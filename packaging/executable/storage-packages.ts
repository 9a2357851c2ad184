import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { packageFolder } from './npm-archive.ts';
import { root } from './root.ts';
import type { Target } from './targets.ts';

/** The packages of the database for a target. */
export interface StoragePackages {
  /** Files by their path inside the executable. */
  readonly files: ReadonlyMap<string, Buffer>;
  /** The bundled files in node_modules. */
  readonly inputs: readonly string[];
}

/** Returns lmdb as one module with its addon, and the addon that locks files. No files if lmdb has no binary for the target. */
export async function storagePackages({ name }: Target): Promise<StoragePackages> {
  const addon = lmdbAddon(name);
  if (addon === undefined) return { files: new Map(), inputs: [] };
  const { code, inputs } = await bundleLmdb();
  const locks = `node_modules/fs-native-extensions/prebuilds/${name}/fs-native-extensions.node`;
  const files = new Map([
    ['node_modules/lmdb/index.cjs', code],
    ['node_modules/lmdb/lmdb.node', addon],
    [locks, readFileSync(join(root, locks))],
  ]);
  return { files, inputs: [...inputs, 'node_modules/lmdb/package.json', locks] };
}

/** Reads the addon from the package that lmdb has for each platform. */
function lmdbAddon(target: string): Buffer | undefined {
  const name = `@lmdb/lmdb-${target}`;
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const locked = packages[`node_modules/${name}`] as { readonly version: string; readonly integrity: string } | undefined;
  if (locked === undefined) return undefined;
  const file = target.startsWith('linux') ? 'node.napi.glibc.node' : 'node.napi.node';
  return readFileSync(join(packageFolder(name, locked.version, locked.integrity), file));
}

/** Bundles lmdb. The package that searches for the addon of this machine is replaced by the addon inside the executable. */
async function bundleLmdb(): Promise<{ code: Buffer; inputs: string[] }> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['lmdb'],
    bundle: true,
    write: false,
    metafile: true,
    format: 'cjs',
    platform: 'node',
    target: 'node22',
    outfile: 'lmdb.cjs',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    conditions: ['require'],
    external: ['*.node', 'msgpackr-extract', 'cbor-extract'],
    logLevel: 'warning',
    plugins: [
      {
        name: 'addon',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^node-gyp-build-optional-packages$/ }, ({ path }) => ({ path, namespace: 'addon' }));
          onLoad({ filter: /./, namespace: 'addon' }, () => ({ contents: "module.exports = () => require('./lmdb.node');" }));
        },
      },
    ],
  });
  return { code: Buffer.from(outputFiles[0]?.contents ?? []), inputs: Object.keys(metafile.inputs) };
}
