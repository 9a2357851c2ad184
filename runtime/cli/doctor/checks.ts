import { X509Certificate } from 'node:crypto';
import { accessSync, closeSync, constants, existsSync, fsyncSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { messageOf } from '../../machinery/errors/message-of.ts';
import { packageVersion } from '../../machinery/version.ts';
import { isStorageError } from '../../storage/errors.ts';
import { ownerName } from '../../storage/lmdb/file-names.ts';
import { checkGeneratorPackages } from '../generator-packages.ts';
import { explainedListenError } from '../listen-error.ts';
import { type Check, type CheckedPlace, error, type Finding, ok, warning } from './finding.ts';

/** The least versions of Node 20, and of 22 and later. (package.json: engines) */
const leastNode: Readonly<Record<number, number>> = { 20: 19, 22: 12 };
/** Free bytes below which a store on disk gets a warning: a GiB. */
const littleSpace = 2 ** 30;
/** Milliseconds of an fsync above which writes are slow: 5 ms is common for SSDs, and 15 ms for hard disks. */
const slowSync = 20;
/** No clock of a machine is before the year in which this was written. */
const earliestYear = 2026;
const day = 86_400_000;

/** The checks in the order of the report. */
export const checks: readonly Check[] = [node, lmdb, generator, clock, port, data, disk, certificates];

/** Reports whether this Node runs the server. */
export function node(_place?: CheckedPlace, version = process.versions.node): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const text = `kubeloom ${packageVersion()} on Node ${version}, ${process.platform} ${process.arch}`;
  const isEnough = major > 22 || minor >= (leastNode[major] ?? Number.POSITIVE_INFINITY);
  return isEnough ? ok('node', text) : error('node', `${text}: install Node 20.19, 22.12 or later`);
}

function lmdb(): Finding {
  const missing = ['lmdb', 'fs-native-extensions'].filter((name) => !loads(name));
  if (missing.length === 0) return ok('lmdb', 'stores on disk work');
  return warning('lmdb', `${missing.join(' and ')} cannot be loaded: use --storage=memory or etcd, or npm install ${missing.join(' ')}`);
}

function loads(name: string): boolean {
  try {
    createRequire(import.meta.url)(name);
    return true;
  } catch {
    return false;
  }
}

function generator(): Finding {
  try {
    checkGeneratorPackages();
    return ok('generator', 'kubeloom generate, import and serve --from work');
  } catch (problem) {
    return warning('generator', messageOf(problem));
  }
}

/** Tokens and certificates are compared with the clock. */
export function clock(_place?: CheckedPlace, now = new Date()): Finding {
  const text = now.toISOString();
  if (now.getUTCFullYear() >= earliestYear) return ok('clock', text);
  return error('clock', `${text} is in the past: set it, because certificates and tokens are valid by it`);
}

async function port({ bindAddress, port: number }: CheckedPlace): Promise<Finding> {
  const server = createServer();
  try {
    await new Promise<void>((listening, failed) => {
      server.once('error', failed).listen({ host: bindAddress, port: number, exclusive: true }, listening);
    });
    return ok('port', `${bindAddress}:${number} is free`);
  } catch (problem) {
    return error('port', messageOf(explainedListenError(problem)));
  } finally {
    server.close();
  }
}

async function data({ dataDir }: CheckedPlace): Promise<Finding> {
  if (!existsSync(dataDir)) return folder('data', dataDir);
  if (!statSync(dataDir).isDirectory()) return error('data', `${dataDir} is not a folder: choose another --data-dir`);
  const { Ownership } = await import('../../storage/lmdb/owner.ts');
  if (!loads('fs-native-extensions') || !existsSync(join(dataDir, ownerName))) return folder('data', dataDir);
  try {
    (await Ownership.take(dataDir)).release();
    return ok('data', `${dataDir} is free`);
  } catch (problem) {
    if (!isStorageError(problem)) throw problem;
    return error('data', messageOf(problem));
  }
}

/** Reports whether a folder, or the nearest one that exists above it, can be written. */
function folder(name: string, path: string): Finding {
  const nearest = nearestExisting(path);
  try {
    accessSync(nearest, constants.W_OK | constants.X_OK);
  } catch {
    return error(name, `${nearest} cannot be written: choose another --data-dir, or --storage=memory`);
  }
  return ok(name, existsSync(path) ? `${path} can be written` : `${path} will be made on the first start`);
}

/** Returns the path, or the nearest folder above it that exists. */
function nearestExisting(path: string): string {
  const absolute = resolve(path);
  return existsSync(absolute) ? absolute : nearestExisting(dirname(absolute));
}

/** Measures the free space and an fsync of the disk with the data folder. */
async function disk({ dataDir }: CheckedPlace): Promise<Finding | undefined> {
  const nearest = nearestExisting(dataDir);
  const { bavail, bsize } = await statfs(nearest);
  const free = `${((bavail * bsize) / 2 ** 30).toFixed(1)} GiB free`;
  if (bavail * bsize < littleSpace) return warning('disk', `${free}: a store needs its data twice while it is compacted`);
  const ms = syncTime(nearest);
  if (ms === undefined) return ok('disk', free);
  const text = `${free}, fsync ${ms.toFixed(1)} ms`;
  return ms < slowSync
    ? ok('disk', text)
    : warning('disk', `${text}: writes wait for it; tests can use --storage=memory or --unsafe-no-fsync`);
}

/** Returns the median milliseconds of an fsync of five. Undefined if no file can be written. */
function syncTime(folder: string): number | undefined {
  const path = join(folder, `.kubeloom-doctor-${process.pid}`);
  try {
    const file = openSync(path, 'wx', 0o600);
    try {
      const times = Array.from({ length: 5 }, () => {
        writeSync(file, Buffer.alloc(4096));
        const start = performance.now();
        fsyncSync(file);
        return performance.now() - start;
      });
      return times.sort((a, b) => a - b)[2];
    } finally {
      closeSync(file);
      rmSync(path, { force: true });
    }
  } catch {
    return undefined;
  }
}

/** Reports until when the certificates in a folder are valid. The next start renews those that are not. */
export function certificates({ certDir }: Pick<CheckedPlace, 'certDir'>, now = Date.now()): Finding | undefined {
  const names = ['ca', 'apiserver', 'admin'].filter((name) => existsSync(join(certDir, `${name}.crt`)));
  if (names.length === 0) return undefined;
  try {
    const all = names.map((name) => ({ name, certificate: new X509Certificate(readFileSync(join(certDir, `${name}.crt`))) }));
    const early = all.find(({ certificate }) => Date.parse(certificate.validFrom) > now);
    if (early !== undefined) {
      const { name, certificate } = early;
      return warning('certificates', `${certDir}/${name}.crt is valid from ${certificate.validFrom}: is the clock right?`);
    }
    const [first] = all.sort((a, b) => Date.parse(a.certificate.validTo) - Date.parse(b.certificate.validTo));
    if (first === undefined) return undefined;
    const days = Math.floor((Date.parse(first.certificate.validTo) - now) / day);
    if (days >= 1) return ok('certificates', `${certDir}: valid for ${days} more days`);
    return warning('certificates', `${certDir}/${first.name}.crt ends on ${first.certificate.validTo}: the next start renews it`);
  } catch (problem) {
    return warning('certificates', `${certDir}: ${messageOf(problem)}: the next start makes new ones`);
  }
}
