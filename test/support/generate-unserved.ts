import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { emitCodec } from '../../codegen/emit/codec.ts';
import { emitPrune } from '../../codegen/emit/prune.ts';
import { loadModel } from '../../codegen/load/load-model.ts';
import type { ApiModel } from '../../codegen/model/model.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The functions of a generated module by name: `pruneDeployment`, `codecDeployment`. */
export type GeneratedModule = Readonly<Record<string, unknown>>;

/**
 * Generates and loads prune functions and codecs for all types with protos in a schemas folder, including
 * group-versions that are no longer served. Writes only one bundle to a temporary folder, which the caller removes.
 *
 * @returns modules by `<group-version folder>/<file>`, for example `extensions/v1beta1/codec`
 */
export async function generateUnserved(schemasDir: string): Promise<{ folder: string; modules: ReadonlyMap<string, GeneratedModule> }> {
  const model = await loadModel(schemasDir, { includeUnserved: true });
  const files = filesOf(model);
  const folder = await mkdtemp(join(root, 'node_modules', '.golden-'));
  const outfile = join(folder, 'generated.mjs');
  const entries = [...files.keys()].map((name, index) => `import * as m${index} from './${name}.ts';`);
  const exported = [...files.keys()].map((name, index) => `[${JSON.stringify(name)}, m${index}]`);
  await build({
    stdin: {
      contents: `${entries.join('\n')}\nexport const modules = new Map([${exported.join(', ')}]);\n`,
      resolveDir: root,
      sourcefile: 'entry.ts',
      loader: 'ts',
    },
    plugins: [inMemory(files)],
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    outfile,
  });
  const { modules } = (await import(pathToFileURL(outfile).href)) as { modules: Map<string, GeneratedModule> };
  return { folder, modules };
}

function filesOf(model: ApiModel): Map<string, string> {
  const files = new Map<string, string>();
  for (const groupVersion of model.groupVersions) {
    const context = { header: '', runtime: '../../../runtime' };
    files.set(`${groupVersion.folder}/prune`, emitPrune(groupVersion, model, context));
    files.set(`${groupVersion.folder}/codec`, emitCodec(groupVersion, model, context));
  }
  return files;
}

/** Serves generated files to esbuild from memory, as if in generated/<folder>/. */
function inMemory(files: ReadonlyMap<string, string>): Plugin {
  const generated = join(root, 'generated');
  return {
    name: 'generated',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^\./ }, ({ path, importer, namespace }) => {
        const from = namespace === 'generated' ? join(generated, importer, '..') : generated;
        if (namespace !== 'generated' && importer !== '' && !importer.endsWith('entry.ts')) return undefined;
        const target = join(from, path);
        const name = target.slice(generated.length + 1).replace(/\.ts$/, '');
        return files.has(name) ? { path: `${name}.ts`, namespace: 'generated' } : { path: target };
      });
      onLoad({ filter: /.*/, namespace: 'generated' }, ({ path }) => ({
        contents: files.get(path.replace(/\.ts$/, '')),
        loader: 'ts',
        resolveDir: join(generated, path, '..'),
      }));
    },
  };
}
