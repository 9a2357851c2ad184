import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = new URL('../../node_modules/.cache/ts-loader/', import.meta.url);

const options = { loader: 'ts', format: 'esm', target: 'es2022', sourcemap: 'inline' };

/** Compiles TypeScript in Node's thread for module hooks. The cache on disk serves all worker threads. */
export async function load(url, context, nextLoad) {
  if (!url.endsWith('.ts')) return nextLoad(url, context);
  const source = await readFile(fileURLToPath(url), 'utf8');
  return { format: 'module', source: await compile(source, basename(url)), shortCircuit: true };
}

async function compile(source, sourcefile) {
  const cached = new URL(
    `${createHash('sha256')
      .update(JSON.stringify({ ...options, sourcefile }))
      .update(source)
      .digest('hex')}.mjs`,
    folder,
  );
  try {
    return await readFile(cached, 'utf8');
  } catch {
    const { transform } = await import('esbuild');
    const { code } = await transform(source, { ...options, sourcefile });
    await mkdir(folder, { recursive: true });
    // other processes may be writing the same file
    const own = new URL(`${process.pid}.${performance.now()}.tmp`, folder);
    await writeFile(own, code);
    await rename(own, cached);
    return code;
  }
}
