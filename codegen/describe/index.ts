import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { documentText } from '../emit/openapi-document.ts';
import { serveV2 } from '../emit/openapi-v2.ts';
import { listFiles } from '../load/files.ts';
import type { OpenApiDocument } from '../load/openapi.ts';
import { descriptionsText } from './descriptions-file.ts';
import { describeDocuments, templatesOf } from './documents.ts';
import { sourcesOf } from './sources.ts';

/**
 * Writes the OpenAPI documents of a release again, with Kubernetes' own descriptions, and the file that
 * runtime/machinery/descriptions reads. The sentences come from npm packages, so that none of them is committed.
 *
 * @param generated the folder of the release in generated/
 * @param packages the node_modules folder that may have the packages
 * @param out the folder of the release in dist/generated/
 * @returns the names of the packages; empty, with nothing written, if they are not installed
 */
export async function describeRelease(generated: string, packages: string, out: string): Promise<readonly string[]> {
  const sources = await sourcesOf(basename(generated), packages);
  if (sources === undefined) return [];
  const folder = join(generated, 'openapi');
  const names = await listFiles(join(folder, 'v3'), '.json');
  const plain = await Promise.all(
    names.map(async (name): Promise<OpenApiDocument> => JSON.parse(await readFile(join(folder, 'v3', name), 'utf8'))),
  );
  const documents = describeDocuments(plain, sources);
  const files = new Map(documents.map((document, index) => [join('v3', names[index] ?? ''), documentText(document)]));
  files.set('v2.json', documentText(serveV2(documents)));
  files.set('descriptions.tsv', descriptionsText(documents, templatesOf(plain, sources), sources));
  const target = join(out, `openapi-${hashOf(files)}`);
  for (const [name, text] of files) {
    await mkdir(dirname(join(target, name)), { recursive: true });
    await writeFile(join(target, name), text);
  }
  return sources.packages;
}

/** Clients see this hash at the end of the documents' hashes. */
function hashOf(files: ReadonlyMap<string, string>): string {
  const hash = createHash('sha256');
  for (const text of files.values()) hash.update(text);
  return hash.digest('hex').slice(0, 8).toUpperCase();
}
