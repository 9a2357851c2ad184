import { readFile } from 'node:fs/promises';
import { register } from 'node:module';

// Lets `node --import ./test/support/ts-loader.mjs file.ts` run TypeScript sources as they are.
if (!process.env.KUBELOOM_TS_LOADER) register(import.meta.url);
process.env.KUBELOOM_TS_LOADER = 'registered';

export async function load(url, context, nextLoad) {
  if (!url.endsWith('.ts')) return nextLoad(url, context);
  const { transform } = await import('esbuild');
  const { fileURLToPath } = await import('node:url');
  const source = await readFile(fileURLToPath(url), 'utf8');
  const { code } = await transform(source, { loader: 'ts', format: 'esm', target: 'es2022', sourcemap: 'inline' });
  return { format: 'module', source: code, shortCircuit: true };
}
