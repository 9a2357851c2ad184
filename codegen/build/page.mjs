import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from './current.mjs';

/** Writes the files of the page into a folder, flat, as the server expects them. Returns the paths of what they are made from. */
export async function buildPage(folder) {
  const { metafile } = await build({
    metafile: true,
    absWorkingDir: root,
    entryPoints: ['page/page.tsx'],
    outdir: folder,
    bundle: true,
    splitting: true,
    chunkNames: '[name]-[hash]',
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
  });
  for (const file of ['index.html', 'favicon.svg']) cpSync(join(root, 'page', file), join(folder, file));
  return Object.keys(metafile.inputs);
}
