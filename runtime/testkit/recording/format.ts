import { crc32 } from 'node:zlib';

/*
 * A recording, format 1: lines of JSON, in order of occurrence. Times are RFC 3339 with milliseconds.
 *
 *     recording   the header: what follows, and the revision at which it begins
 *     object      an object that existed at the beginning, in the order of revisions
 *     request     a request, with its user, at its authentication
 *     change      a write or a delete of an object
 *     event       an event or a bookmark of a watch; its object is in the change of that revision
 *     response    the end of a request or a watch
 *     lost        changes up to this revision are unknown: other servers made and compacted them
 *     ready       the server became ready: earlier lines are its own start
 *     end         the server was closed
 *
 * The last member of each line is `sum`: the CRC-32 of the line without it and of all lines before. In the lines of
 * objects and changes, the member before it is `value`: the object, byte by byte as stored, or `base64` for bytes that
 * are not JSON.
 */

export const recordingFormat = 1;

export interface RecordingHeader {
  readonly type: 'recording';
  readonly format: number;
  /** The served release: `v1.35`. */
  readonly kubernetes: string;
  readonly clock: 'system' | 'manual';
  readonly seed?: number | undefined;
  /** The prefix of all keys. */
  readonly root: string;
  /** The revision of the store at the beginning of the recording. */
  readonly revision: number;
  readonly time: string;
}

/** The state of a key. */
interface RecordedState {
  readonly revision: number;
  readonly key: string;
  readonly value: Uint8Array;
}

export interface RecordedObject extends RecordedState {
  readonly type: 'object';
  readonly createRevision: number;
}

export interface RecordedChange extends RecordedState {
  readonly type: 'change';
  readonly time: string;
  readonly change: 'put' | 'delete';
  /** Empty for a delete. */
  readonly value: Uint8Array;
}

export interface RecordedRequest {
  readonly type: 'request';
  readonly time: string;
  /** The ID in the recording. Responses and events refer to it. */
  readonly id: number;
  readonly user: string;
  readonly groups: readonly string[];
  readonly verb: string;
  readonly method: string;
  readonly url: string;
  /** Headers that affect how the request is read. None of them authenticates. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface RecordedEvent {
  readonly type: 'event';
  readonly time: string;
  /** The ID of the request. */
  readonly id: number;
  readonly event: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly revision: number;
  /** Absent for bookmarks. */
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}

export interface RecordedResponse {
  readonly type: 'response';
  readonly time: string;
  readonly id: number;
  /** Absent if the client disconnected first. */
  readonly code?: number | undefined;
  /** The revision of the only object that the request wrote. */
  readonly revision?: number | undefined;
  /** The body that the server read: text, or bytes in base64. */
  readonly requestBody?: string | { readonly base64: string } | undefined;
}

export interface RecordedMark {
  readonly type: 'lost' | 'ready' | 'end';
  readonly time: string;
  readonly revision: number;
}

export type RecordedEntry = RecordedObject | RecordedChange | RecordedRequest | RecordedEvent | RecordedResponse | RecordedMark;

const sumMember = ',"sum":"';
const sumLength = `${sumMember}00000000"}`.length;

/** Returns a line without its sum, and the sum, which continues the sum of the line before (0 for the first). */
export function lineOf(entry: RecordingHeader | RecordedEntry, before: number): { text: string; sum: number } {
  const text = 'value' in entry ? withValue(entry) : JSON.stringify(entry);
  const sum = crc32(text, before);
  return { text: `${text.slice(0, -1)}${sumMember}${sum.toString(16).padStart(8, '0')}"}\n`, sum };
}

function withValue({ value, ...entry }: RecordedObject | RecordedChange): string {
  const text = JSON.stringify(entry);
  if (value.length === 0) return text;
  const json = jsonText(value);
  const member = json === undefined ? `"base64":"${Buffer.from(value).toString('base64')}"` : `"value":${json}`;
  return `${text.slice(0, -1)},${member}}`;
}

/** Returns the text of a JSON object in one line; undefined for other bytes. */
function jsonText(value: Uint8Array): string | undefined {
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  const text = bytes.toString('utf8');
  if (!text.startsWith('{') || text.includes('\n') || Buffer.byteLength(text) !== bytes.length) return undefined;
  try {
    JSON.parse(text);
    return text.includes('\ufffd') && !bytes.equals(Buffer.from(text)) ? undefined : text;
  } catch {
    return undefined;
  }
}

/**
 * Reads a line, without its line feed.
 *
 * @throws Error for an invalid line, with the problem
 */
export function parseLine(line: string, before: number): { entry: RecordingHeader | RecordedEntry; sum: number } {
  const at = line.length - sumLength;
  if (at < 0 || !line.startsWith(sumMember, at)) throw new Error('it has no sum');
  const text = `${line.slice(0, at)}}`;
  const sum = crc32(text, before);
  if (line.slice(at + sumMember.length, -2) !== sum.toString(16).padStart(8, '0')) {
    throw new Error('its sum is another: it, or a line before it, is not as it was written');
  }
  const { value, base64, ...entry } = JSON.parse(text);
  if (entry.type !== 'object' && entry.type !== 'change') return { entry, sum };
  return { entry: { ...entry, value: storedBytes(text, value, base64) }, sum };
}

const valueMember = ',"value":';

/** Cuts the stored bytes from the line, because parsing JSON may lose some. Quotes in earlier members are escaped. */
function storedBytes(text: string, value: unknown, base64: string | undefined): Uint8Array {
  if (base64 !== undefined) return Buffer.from(base64, 'base64');
  if (value === undefined) return new Uint8Array(0);
  return Buffer.from(text.slice(text.indexOf(valueMember) + valueMember.length, -1));
}
