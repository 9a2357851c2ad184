import { createHash } from 'node:crypto';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { loadModel } from '../load/load-model.ts';
import { foldDocuments } from '../load/normal-form/fold.ts';
import { normalForm } from '../load/normal-form/form.ts';
import { dropProse } from '../load/normal-form/prose.ts';
import { normalText, sortKeys } from '../load/normal-form/sort.ts';
import { escapePointer } from '../load/schema-errors.ts';
import type { ImportSource } from './source.ts';

/** The files of a schemas folder by relative name, including manifest.json. Equal sources give equal bytes. */
export function normaliseSource(source: ImportSource, release: string): Map<string, string> {
  const files = new Map<string, string>();
  for (const [name, document] of foldDocuments(source.documents)) files.set(`openapi/${name}`, normalText(document));
  for (const [name, text] of source.protos) files.set(`proto/${name}`, normaliseProto(text));
  if (source.facts) files.set('field-facts.json', normalText(sortKeys(source.facts)));
  const { kind, version, inputs } = source;
  const manifest = {
    normalForm,
    release,
    ...(version === undefined ? {} : { version }),
    source: kind,
    inputs: hashes(inputs),
    outputs: hashes(files),
  };
  return new Map([...files, ['manifest.json', normalText(sortKeys(manifest))]]);
}

function hashes(files: ReadonlyMap<string, string>): Record<string, string> {
  return Object.fromEntries([...files].map(([name, text]) => [name, createHash('sha256').update(text).digest('hex')]));
}

/** The descriptions that the normal form drops, by JSON pointer, for each document. */
export function collectDescriptions(source: ImportSource): Map<string, string> {
  const files = new Map<string, string>();
  for (const [name, document] of source.documents) {
    const found: [string, string][] = [];
    dropProse(name, document, (pointer, text) => found.push([`/${pointer.map(escapePointer).join('/')}`, text]));
    files.set(name, normalText(sortKeys(Object.fromEntries(found))));
  }
  return files;
}

/** The entries of a schemas folder that an import replaces. Overlays and others stay. */
const owned = ['openapi', 'proto', 'field-facts.json', 'manifest.json'];

/**
 * Replaces the schemas folder at `out`, after the loader has accepted the new one.
 *
 * @throws SchemaErrors for an inconsistent source; `out` stays unchanged
 */
export async function writeSchemas(files: ReadonlyMap<string, string>, out: string): Promise<void> {
  const fresh = `${out}.new-${process.pid}`;
  try {
    await writeFiles(files, fresh);
    await loadModel(fresh, { includeUnserved: true });
    await mkdir(out, { recursive: true });
    const written = new Set(await readdir(fresh));
    for (const name of owned) {
      await rm(join(out, name), { recursive: true, force: true });
      if (written.has(name)) await rename(join(fresh, name), join(out, name));
    }
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

export async function writeFiles(files: ReadonlyMap<string, string>, dir: string): Promise<void> {
  for (const [name, text] of files) {
    const file = join(dir, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

/** Returns a .proto without comments and with at most single blank lines. Strings are left alone. */
export function normaliseProto(text: string): string {
  const bare = text.replaceAll(protoTokens, (token) => (token.startsWith('/') ? '' : token));
  const lines = bare.split(/\r?\n/).map((line) => line.trimEnd());
  const kept = lines.filter(
    (line, index) => line !== '' || (index > 0 && lines[index - 1] !== '' && !opensBlock(lines[index - 1])),
  );
  return `${kept.join('\n').trim()}\n`;
}

const protoTokens = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
const opensBlock = (line: string): boolean => line.endsWith('{');
