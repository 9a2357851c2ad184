import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { exportTargets, isClosed } from './manifest.mjs';

/** The empty module that each types.ts of a group-version is at run time. */
const empty = 'generated/types';

/**
 * Writes the files that `require` conditions of package.json name: beside each ES module a CommonJS file and its types.
 * Both load the same modules, with the same instances.
 */
export function writeCommonJs(folder) {
  const isExported = requireTargets();
  const files = readdirSync(folder, { recursive: true }).map((file) => file.replaceAll('\\', '/'));
  writeFileSync(join(folder, `${empty}.cjs`), '// Types have no values.\n');
  for (const file of files) {
    const [, stem, extension] = /^(.*?)(\.d\.ts|\.js)$/.exec(file) ?? [];
    if (extension === '.js' && isExported(`${stem}.cjs`)) writeFileSync(join(folder, `${stem}.cjs`), code(stem));
    if (extension === '.d.ts' && isExported(`${stem}.d.cts`))
      writeFileSync(join(folder, `${stem}.d.cts`), declarations(stem, valuesOf(join(folder, stem))));
  }
}

/**
 * Returns a test: whether a `require` condition names a file of dist/. Conditions without types have them beside the
 * code.
 */
function requireTargets() {
  const targets = exportTargets.flatMap(({ require: found, types }) => {
    if (typeof found !== 'string') return found === undefined ? [] : Object.values(found);
    return types === undefined ? [found, found.replace(/\.cjs$/, '.d.cts')] : [found];
  });
  const patterns = targets.map((target) => {
    const [before, after] = target.replace(/^\.\/dist\//, '').split('*');
    return { before, after };
  });
  return (file) =>
    !isClosed(file) &&
    patterns.some(({ before, after }) => (after === undefined ? file === before : file.startsWith(before) && file.endsWith(after)));
}

/**
 * Jest's own `require` loads no ES modules, and neither does the createRequire of Jest's `module`. Code in the main
 * context gets Node's.
 */
const code = (stem) => `"use strict";
const { createRequire } = require("node:vm").runInThisContext("process.getBuiltinModule('node:module')");
module.exports = createRequire(__filename)("./${basename(stem)}.js");
`;

/** Declares the same values and types, for compilers that do not let CommonJS import ES modules. */
function declarations(stem, values) {
  const attributes = "with { 'resolution-mode': 'import' }";
  const lines = Object.entries(values).flatMap(([name, value]) => {
    const type = isClass(value) ? [`export type ${name} = module.${name};`] : [];
    return [`export declare const ${name}: typeof module.${name};`, ...type];
  });
  const star = `export type * from './${basename(stem)}.js' ${attributes};`;
  if (lines.length === 0) return `${star}\n`;
  return [`import type * as module from './${basename(stem)}.js' ${attributes};`, star, ...lines, ''].join('\n');
}

/** Throws if a module cannot be required because one of its imports uses top-level await. */
function valuesOf(stem) {
  const file = ['.js', '.cjs'].map((extension) => `${stem}${extension}`).find((name) => existsSync(name));
  return file === undefined ? {} : createRequire(import.meta.url)(file);
}

const isClass = (value) => typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value));
