import { createReadStream } from 'node:fs';
import { messageOf } from '../../machinery/errors/message-of.ts';
import { quoteExcerpt } from '../../machinery/go/quote.ts';
import { keyProblem, recordProblem } from '../../storage/backup/record-problem.ts';
import { parseLine, type RecordedEntry, type RecordingHeader, recordingFormat } from './format.ts';

/** The summary of a recording. */
export interface RecordingSummary {
  readonly header: RecordingHeader;
  /** The revision of the last change, or of the beginning without changes. */
  readonly revision: number;
  /** The revision at which the server was ready. Absent in recordings of older versions, and without that moment. */
  readonly ready?: number | undefined;
  /** The time of the last line, RFC 3339. */
  readonly time: string;
}

/**
 * Reads and verifies a whole recording. A truncated last line, left by a killed process, is ignored.
 *
 * @throws Error with the number of the damaged line
 */
export async function summarizeRecording(path: string): Promise<RecordingSummary> {
  let header: RecordingHeader | undefined;
  let [revision, time] = [0, ''];
  let ready: number | undefined;
  for await (const entry of readRecording(path)) {
    if (entry.type === 'recording') header = entry;
    if (entry.type === 'lost') throw new Error(`${path}: at revision ${entry.revision}, changes of other servers are missing`);
    if (entry.type === 'ready') ready = entry.revision;
    if (entry.type === 'recording' || entry.type === 'change') revision = entry.revision;
    if ('time' in entry) time = entry.time;
  }
  if (header === undefined) throw new Error(`${path}: it is empty`);
  return { header, revision, ready, time };
}

/** Yields the header and the entries, in order. @throws Error with the number of the damaged line */
export async function* readRecording(path: string): AsyncGenerator<RecordingHeader | RecordedEntry, void, undefined> {
  let [sum, number] = [0, 0];
  let root = '';
  for await (const line of linesOf(path)) {
    number += 1;
    const where = `${path}: line ${number}`;
    const { entry, sum: next } = parsedLine(line, sum, where);
    sum = next;
    if (number === 1) root = checkHeader(entry, path);
    else checkState(entry, root, where);
    yield entry;
  }
}

/** Throws for a key or a value that no server writes. */
function checkState(entry: RecordingHeader | RecordedEntry, root: string, where: string): void {
  if (entry.type !== 'object' && entry.type !== 'change') return;
  const { key, revision, value } = entry;
  if (typeof key !== 'string') throw new Error(`${where}: it has no key`);
  if (!Number.isSafeInteger(revision)) throw new Error(`${where}: ${quoteExcerpt(key)}: it has no revision`);
  const isDelete = entry.type === 'change' && entry.change === 'delete';
  // encrypted values, and values of etcd, have their stored form
  const problem = isDelete ? keyProblem({ key }, root) : recordProblem({ key, value }, { engine: 'etcd', root });
  if (problem === undefined) return;
  throw new Error(`${where}: ${isDelete ? `${quoteExcerpt(key)}: ${problem}` : problem}`);
}

function parsedLine(line: string, sum: number, where: string): ReturnType<typeof parseLine> {
  try {
    return parseLine(line, sum);
  } catch (error) {
    throw new Error(`${where} is damaged: ${messageOf(error)}`);
  }
}

/** Returns the root of all keys. */
function checkHeader(entry: RecordingHeader | RecordedEntry, path: string): string {
  if (entry.type !== 'recording') throw new Error(`${path}: it is not a recording`);
  if (entry.format > recordingFormat) {
    throw new Error(`${path}: it has format ${entry.format}, but this version reads only formats up to ${recordingFormat}`);
  }
  if (typeof entry.root === 'string' && Number.isSafeInteger(entry.revision)) return entry.root;
  throw new Error(`${path}: its first line lacks the root of all keys, or a revision`);
}

/** Yields the complete lines of a file, without their line feeds. */
async function* linesOf(path: string): AsyncGenerator<string, void, undefined> {
  let rest: Buffer[] = [];
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let at = chunk.indexOf('\n'); at >= 0; at = chunk.indexOf('\n', start)) {
      const end = chunk.subarray(start, at);
      yield (rest.length === 0 ? end : Buffer.concat([...rest, end])).toString('utf8');
      rest = [];
      start = at + 1;
    }
    if (start < chunk.length) rest.push(chunk.subarray(start));
  }
}
