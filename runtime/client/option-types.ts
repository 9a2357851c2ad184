import {
  boolean,
  callback,
  checked,
  either,
  mapOf,
  members,
  type OptionType,
  object,
  oneOf,
  text,
  whole,
} from '../machinery/options/option-type.ts';
import type {
  ApplyOptions,
  ClientOptions,
  DeleteCollectionOptions,
  DeleteOptions,
  GetOptions,
  ListOptions,
  LogOptions,
  PatchOptions,
  WatchOptions,
  WriteOptions,
} from './options.ts';

/* The options of clients and their calls. */

const bytes: OptionType<Uint8Array> = checked('bytes', (value) => ArrayBuffer.isView(value));
const pem = either(text, bytes);
const signal: OptionType<AbortSignal> = checked(
  'an AbortSignal',
  (value) => typeof value === 'object' && value !== null && 'aborted' in value && 'addEventListener' in value,
);

export const clientOptions = object<ClientOptions>(
  {
    server: text,
    proxyUrl: text,
    connect: callback,
    ca: pem,
    cert: pem,
    key: pem,
    token: text,
    tokenFile: text,
    username: text,
    password: text,
    tlsServerName: text,
    insecureSkipTlsVerify: boolean,
    headers: mapOf(text),
    userAgent: text,
    timeout: whole(),
  },
  'server',
);

export const getOptions = object<GetOptions>({ signal, resourceVersion: text });

export const listOptions = object<ListOptions>({
  signal,
  labelSelector: text,
  fieldSelector: text,
  limit: whole(),
  continue: text,
  resourceVersion: text,
  resourceVersionMatch: oneOf('Exact', 'NotOlderThan'),
  timeoutSeconds: whole(),
});

export const watchOptions = object<WatchOptions>({
  signal,
  labelSelector: text,
  fieldSelector: text,
  resourceVersion: text,
  resourceVersionMatch: oneOf('NotOlderThan'),
  allowWatchBookmarks: boolean,
  sendInitialEvents: boolean,
  timeoutSeconds: whole(),
});

const writeMembers = members<WriteOptions>({
  signal,
  dryRun: oneOf('All'),
  fieldManager: text,
  fieldValidation: oneOf('Ignore', 'Warn', 'Strict'),
});

export const writeOptions = object<WriteOptions>(writeMembers);

export const patchOptions = object<PatchOptions>({
  ...writeMembers,
  type: oneOf('json', 'merge', 'strategic', 'apply'),
  force: boolean,
});

export const applyOptions = object<ApplyOptions>({ ...writeMembers, force: boolean }, 'fieldManager');

const deleteMembers = members<DeleteOptions>({
  signal,
  dryRun: oneOf('All'),
  gracePeriodSeconds: whole(Number.MIN_SAFE_INTEGER),
  propagationPolicy: oneOf('Orphan', 'Background', 'Foreground'),
  preconditions: object<NonNullable<DeleteOptions['preconditions']>>({ uid: text, resourceVersion: text }),
});

export const deleteOptions = object<DeleteOptions>(deleteMembers);

export const deleteCollectionOptions = object<DeleteCollectionOptions>({
  ...deleteMembers,
  labelSelector: text,
  fieldSelector: text,
});

export const logOptions = object<LogOptions>({
  signal,
  container: text,
  previous: boolean,
  sinceSeconds: whole(),
  sinceTime: text,
  tailLines: whole(),
  limitBytes: whole(),
  timestamps: boolean,
});
