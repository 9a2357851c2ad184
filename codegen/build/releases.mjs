import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './current.mjs';

/**
 * The folder of the releases whose code is not committed. It is as deep in the tree as generated/, so that imports are
 * the same.
 */
const folder = join(root, '.generated');
const schemas = join(root, 'schemas', 'kubernetes');

/** Returns the folders of these releases, relative to the project: `.generated/v1.33`. */
export const otherReleases = () =>
  releasesIn(schemas)
    .filter((release) => !existsSync(join(root, 'generated', release)))
    .map((release) => `.generated/${release}`);

/** Generates the releases that schemas/kubernetes has and generated/ lacks, unless .generated/ has them already. */
export async function generateReleases(wanted = releasesIn(schemas)) {
  const all = otherReleases().map((path) => path.slice('.generated/'.length));
  for (const stale of releasesIn(folder).filter((release) => !all.includes(release))) remove(stale);
  await Promise.all(all.filter((release) => wanted.includes(release)).map(generate));
}

/** Returns the names of the releases that have a folder in `parent`. */
export function releasesIn(parent) {
  const names = existsSync(parent) ? readdirSync(parent) : [];
  return names.filter((name) => /^v[0-9]+\.[0-9]+$/.test(name));
}

async function generate(release) {
  const stamp = stampOf(release);
  const fingerprint = fingerprintOf(release);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint) return;
  const inputs = ['--schemas', join(schemas, release), '--overlays', join(root, 'schemas', 'overlays')];
  await run(['generate', ...inputs, '--runtime', join(root, 'runtime'), '--release', release, '--out', folder]);
  mkdirSync(folder, { recursive: true });
  writeFileSync(stamp, fingerprint);
}

/** The folders with the code of the generator. */
const generator = ['commands', 'emit', 'load', 'model', 'output', 'print'].map((name) => `codegen/${name}`);

const stampOf = (release) => join(folder, `${release}.fingerprint`);

function remove(release) {
  rmSync(join(folder, release), { recursive: true, force: true });
  rmSync(stampOf(release), { force: true });
}

/** Returns a hash of all inputs of a release's code. */
function fingerprintOf(release) {
  const hash = createHash('sha256');
  for (const input of [...generator, 'schemas/overlays', `schemas/kubernetes/${release}`])
    for (const file of readdirSync(join(root, input), { recursive: true }).sort()) {
      const path = join(root, input, file);
      if (statSync(path).isFile()) hash.update(`${input}/${file}\0`).update(readFileSync(path)).update('\0');
    }
  return hash.digest('hex');
}

function run(args) {
  const command = ['--import', join(root, 'test/support/ts-loader.mjs'), join(root, 'codegen/cli.ts'), ...args];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, command, { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] });
    let progress = '';
    child.stderr.on('data', (chunk) => {
      progress += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`${args.join(' ')}: ${progress.trim().split('\n').slice(-5).join('\n')}`)),
    );
  });
}
