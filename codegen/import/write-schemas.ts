import { createHash } from 'node:crypto';
import { type LoadOptions, loadModel } from '../load/load-model.ts';
import { foldDocuments } from '../load/normal-form/fold.ts';
import { normalForm } from '../load/normal-form/form.ts';
import { dropProse } from '../load/normal-form/prose.ts';
import { normalText, sortKeys } from '../load/normal-form/sort.ts';
import { escapePointer } from '../load/schema-errors.ts';
import { moveOwned } from '../output/owned-folder.ts';
import { withStaging, writeFiles } from '../output/staging.ts';
import { ImportError, type ImportSource } from './source.ts';

/** Returns the files of a schemas folder by relative name, including manifest.json. Equal sources give equal bytes. */
export function normaliseSource(source: ImportSource, release: string): Map<string, string> {
  const files = new Map<string, string>();
  for (const name of source.documents.keys()) checkGroupVersion(name);
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

const dns1123Subdomain = /^[a-z\d](?:[-a-z\d]*[a-z\d])?(?:\.[a-z\d](?:[-a-z\d]*[a-z\d])?)*$/;
const dns1035Label = /^[a-z](?:[-a-z\d]*[a-z\d])?$/;

/** @param document `apis/<group>/<version>.json` or `api/<version>.json` */
function checkGroupVersion(document: string): void {
  const [version = '', group] = document
    .replace(/^apis?\//, '')
    .replace(/\.json$/, '')
    .split('/')
    .reverse();
  if (group !== undefined && !dns1123Subdomain.test(group))
    throw new ImportError(`the group ${JSON.stringify(group)} is not a DNS-1123 subdomain`);
  if (!dns1035Label.test(version)) throw new ImportError(`the version ${JSON.stringify(version)} is not a DNS-1035 label`);
}

function hashes(files: ReadonlyMap<string, string>): Record<string, string> {
  return Object.fromEntries([...files].map(([name, text]) => [name, createHash('sha256').update(text).digest('hex')]));
}

/** Writes the descriptions that the normal form drops: a file for each document, with texts by JSON pointer. */
export async function writeDescriptions(source: ImportSource, out: string): Promise<void> {
  const files = collectDescriptions(source);
  await withStaging(out, async (staging) => {
    await writeFiles(files, staging);
    await moveOwned(staging, out, [...files.keys()]);
  });
}

function collectDescriptions(source: ImportSource): Map<string, string> {
  const files = new Map<string, string>();
  for (const [name, document] of source.documents) {
    const found: [string, string][] = [];
    dropProse(name, document, (pointer, text) => found.push([`/${pointer.map(escapePointer).join('/')}`, text]));
    files.set(name, normalText(sortKeys(Object.fromEntries(found))));
  }
  return files;
}

/**
 * Replaces the files that earlier imports wrote into the schemas folder `out`, after the loader has accepted the new
 * ones.
 *
 * @throws SchemaErrors for an inconsistent source, OutputError if a file that no import wrote is in the way; `out`
 *   stays unchanged
 */
export async function writeSchemas(
  files: ReadonlyMap<string, string>,
  out: string,
  options: Pick<LoadOptions, 'clientOnly'> = {},
): Promise<void> {
  await withStaging(out, async (staging) => {
    await writeFiles(files, staging);
    await loadModel(staging, { ...options, includeUnserved: true });
    await moveOwned(staging, out, [...files.keys()]);
  });
}

/** Returns a .proto file without comments and with single blank lines at most. Strings do not change. */
export function normaliseProto(text: string): string {
  const bare = text.replaceAll(protoTokens, (token) => (token.startsWith('/') ? '' : token));
  const lines = bare.split(/\r?\n/).map((line) => line.trimEnd());
  const kept = lines.filter((line, index) => {
    const before = lines[index - 1] ?? '';
    return line !== '' || (before !== '' && !opensBlock(before));
  });
  return `${kept.join('\n').trim()}\n`;
}

const protoTokens = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
const opensBlock = (line: string): boolean => line.endsWith('{');
