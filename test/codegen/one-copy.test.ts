import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { sharedModules } from '../package/shared-modules.ts';
import { subpathsOf } from '../package/subpaths.ts';
import { root } from '../support/generated-project.ts';

const { name } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

test.each(['module', 'commonjs'])('the compiled server and generated code share each module: %s', (inputType) => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [`--input-type=${inputType}`, '--eval', sharedModules(inputType, name, subpathsOf(root))],
    { cwd: root, encoding: 'utf8' },
  );
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^\d{2,} names are the same\n$/);
});

test.each(['runtime/client/clientset.js', 'generated/v1.35/client.js', 'generated/testing/client.js'])(
  '%s loads a client and no other machinery',
  async (file) => {
    const { metafile } = await build({
      absWorkingDir: root,
      entryPoints: [`dist/${file}`],
      outdir: 'out',
      write: false,
      metafile: true,
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      logLevel: 'silent',
    });
    const start = Object.keys(metafile.outputs).find((name) => metafile.outputs[name].entryPoint === `dist/${file}`);
    const loaded = new Set<string>();
    const load = (name: string): void => {
      if (loaded.has(name)) return;
      loaded.add(name);
      const { imports } = metafile.outputs[name];
      for (const { path, kind } of imports) if (kind === 'import-statement' && path in metafile.outputs) load(path);
    };
    load(start as string);
    const modules = [...loaded].flatMap((name) => Object.keys(metafile.outputs[name].inputs));
    expect(modules.filter((name) => /importable\/(?:machinery|kinds)/.test(name))).toEqual([]);
  },
);
