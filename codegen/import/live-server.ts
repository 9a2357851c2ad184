import { readFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import type { OpenApiDocument } from '../load/openapi.ts';
import { parseResourcePath } from '../load/resource-paths.ts';
import { checkDocuments, readProtoAndFacts } from './folder.ts';
import { type ExtraFiles, ImportError, type ImportSource } from './source.ts';
import { parseText } from './text.ts';

/** How to connect to a server. Files are PEM. */
export interface ServerOptions {
  readonly certificateAuthority?: string | undefined;
  readonly clientCertificate?: string | undefined;
  readonly clientKey?: string | undefined;
  readonly token?: string | undefined;
  readonly insecureSkipTlsVerify?: boolean | undefined;
}

/** Larger responses are not OpenAPI documents. */
const maxBytes = 64 << 20;
const timeoutMs = 30_000;

/** Reads the OpenAPI v3 documents of all group-versions that a server publishes below /openapi/v3. */
export async function readServer(
  url: string,
  options: ServerOptions,
  extra: ExtraFiles = {},
  onProgress: (line: string) => void = () => {},
): Promise<ImportSource> {
  const get = await getter(url, options);
  const root = parseText(await get('/openapi/v3'), '/openapi/v3') as {
    paths?: Record<string, { serverRelativeURL?: string }>;
  };
  const groupVersions = Object.keys(root.paths ?? {})
    .filter((path) => parseResourcePath(`/${path}`))
    .sort();
  if (groupVersions.length === 0) throw new ImportError(`${url}/openapi/v3 lists no group-versions`);
  const others = await readProtoAndFacts(extra);
  const documents = new Map<string, OpenApiDocument>();
  for (const [index, path] of groupVersions.entries()) {
    onProgress(`reading ${path} (${index + 1} of ${groupVersions.length})`);
    const text = await get(root.paths?.[path]?.serverRelativeURL ?? `/openapi/v3/${path}`);
    documents.set(`${path}.json`, parseText(text, path) as OpenApiDocument);
    others.inputs.set(`openapi/${path}.json`, text);
  }
  checkDocuments(documents);
  return { kind: 'server', documents, ...others };
}

async function getter(base: string, options: ServerOptions): Promise<(path: string) => Promise<string>> {
  const secure = new URL(base).protocol === 'https:';
  const pem = (file: string | undefined): Promise<Buffer | undefined> => (file === undefined ? Promise.resolve(undefined) : readFile(file));
  const [ca, cert, key] = await Promise.all([options.certificateAuthority, options.clientCertificate, options.clientKey].map(pem));
  const headers = {
    accept: 'application/json',
    ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
  };
  const agent = secure ? new Agent({ ca, cert, key, rejectUnauthorized: !options.insecureSkipTlsVerify }) : undefined;
  return (path) =>
    new Promise((done, fail) => {
      const where = new URL(path, base);
      const refuse = (reason: string): void => fail(new ImportError(`GET ${where.pathname}: ${reason}`));
      const send = secure ? httpsRequest : httpRequest;
      const request = send(where, { headers, agent, timeout: timeoutMs }, (response) => {
        const parts: Buffer[] = [];
        let size = 0;
        response.on('data', (part: Buffer) => {
          size += part.length;
          if (size > maxBytes) request.destroy(new Error(`more than ${maxBytes} bytes`));
          parts.push(part);
        });
        response.on('error', (error) => refuse(error.message));
        response.on('end', () => {
          if (response.statusCode === 200) done(Buffer.concat(parts).toString('utf8'));
          else refuse(`the server responded with status ${response.statusCode}`);
        });
      });
      request.on('timeout', () => request.destroy(new Error(`no response within ${timeoutMs / 1000} s`)));
      request.on('error', (error) => refuse(error.message));
      request.end();
    });
}
