import type { Redirection, Word } from 'unbash';
import { type ContainerFiles, FileError, resolvePath } from '../container-files.ts';
import type { ContentNode } from '../file-node.ts';
import { Input } from './input.ts';
import type { Process, Write } from './process.ts';
import type { ProcessorTime } from './processor-time.ts';
import type { Streams } from './streams.ts';
import type { Words } from './words.ts';

type Host = Pick<Process, 'files' | 'time'> & {
  readonly folder: string;
  /** The output of the container's first process. */
  readonly console: Write;
};

/** A redirection fails, in busybox's words. */
export class RedirectionError extends Error {}

/** Returns the streams of a command after its redirections. */
export async function redirect(streams: Streams, redirections: readonly Redirection[], words: Words, host: Host): Promise<Streams> {
  let current = streams;
  for (const each of redirections) current = await redirectOne(current, each, words, host);
  return current;
}

async function redirectOne(streams: Streams, redirection: Redirection, words: Words, host: Host): Promise<Streams> {
  if (redirection.type === 'HereDoc') {
    const { parts, text } = redirection.body;
    const content = parts === undefined || redirection.delimiter?.quoted ? text : await words.quoted(parts);
    return { ...streams, stdin: Input.of(Buffer.from(withoutTabs(content, redirection.operator))) };
  }
  if (redirection.type === 'HereString') {
    return { ...streams, stdin: Input.of(Buffer.from(`${await textOf(redirection.target, words)}\n`)) };
  }
  const { operator, descriptor } = redirection;
  const given = descriptor?.type === 'FileDescriptor' ? descriptor.value : undefined;
  const target = await textOf(redirection.target, words);
  if (operator === '<' || operator === '<>') return { ...streams, stdin: openInput(streams, target, host) };
  if (operator === '<&') return target === '-' ? { ...streams, stdin: Input.empty() } : streams;
  if (operator === '>&' && (/^\d+$/.test(target) || target === '-')) {
    return withOutput(streams, given ?? 1, target === '-' ? async () => {} : outputOf(streams, Number(target)));
  }
  const write = openOutput(streams, target, host, operator === '>>' || operator === '&>>');
  if (operator.startsWith('&') || operator === '>&') return { ...streams, out: write, err: write };
  return withOutput(streams, given ?? 1, write);
}

const textOf = async (word: Word | undefined, words: Words): Promise<string> => (word === undefined ? '' : words.text(word));

const withoutTabs = (text: string, operator: string): string => (operator === '<<-' ? text.replace(/^\t+/gm, '') : text);

function outputOf(streams: Streams, descriptor: number): Write {
  const write = descriptor === 1 ? streams.out : descriptor === 2 ? streams.err : streams.others.get(descriptor);
  if (write === undefined) throw new RedirectionError(`${descriptor}: Bad file descriptor`);
  return write;
}

function withOutput(streams: Streams, descriptor: number, write: Write): Streams {
  if (descriptor === 1) return { ...streams, out: write };
  if (descriptor === 2) return { ...streams, err: write };
  return { ...streams, others: new Map([...streams.others, [descriptor, write]]) };
}

function openInput(streams: Streams, target: string, { files, folder }: Host): Input {
  const path = resolvePath(folder, target);
  if (path === '/dev/stdin' || path === '/dev/fd/0' || path === '/proc/self/fd/0') return streams.stdin;
  if (path === '/dev/null') return Input.empty();
  try {
    return Input.of(Buffer.from(files.read(path)));
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    throw new RedirectionError(`can't open ${target}: ${wordsOf(error, 'no such file')}`);
  }
}

function openOutput(streams: Streams, target: string, host: Host, appends: boolean): Write {
  const path = resolvePath(host.folder, target);
  const device = deviceOutput(path, streams, host);
  if (device !== undefined) return device;
  try {
    const node = host.files.open(path);
    if (!appends) host.files.truncate(node);
    return writerTo(node, host.files, host.time);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    throw new RedirectionError(`can't create ${target}: ${wordsOf(error, 'nonexistent directory')}`);
  }
}

const wordsOf = ({ message }: FileError, missing: string): string => (message === 'No such file or directory' ? missing : message);

function deviceOutput(path: string, { out, err }: Streams, { console, time }: Host): Write | undefined {
  switch (path) {
    case '/dev/null':
      return () => time.use();
    case '/dev/stdout':
    case '/dev/fd/1':
    case '/dev/tty':
    case '/proc/self/fd/1':
      return out;
    case '/dev/stderr':
    case '/dev/fd/2':
    case '/proc/self/fd/2':
      return err;
    case '/proc/1/fd/1':
    case '/proc/1/fd/2':
    case '/dev/console':
      return console;
    default:
      return undefined;
  }
}

const writerTo =
  (node: ContentNode, files: ContainerFiles, time: ProcessorTime): Write =>
  async (data) => {
    await time.use();
    files.appendTo(node, typeof data === 'string' ? Buffer.from(data) : data);
  };
