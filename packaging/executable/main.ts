/**
 * Builds `kubeloom` as one file, for machines without Node: Node itself with the built server inside (a single executable
 * application). `make executable TARGET=linux-x64` writes to executables/TARGET/ the executable, its bill of materials, and
 * the licences of its parts. All targets are built on any machine.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { licencesOf, packagesOf, separator } from '../../codegen/build/licences.mjs';
import { billOfMaterials, bundledComponents, listedComponents, nodeComponents } from './bill-of-materials.ts';
import { expectForm } from './form.ts';
import { nodeBinary, nodeLicence, strippedNode } from './node-binary.ts';
import { pack, serverFiles } from './packed.ts';
import { root } from './root.ts';
import { storagePackages } from './storage-packages.ts';
import { fileNameOf, type NodePackage, nodePackages, type Target, targetOf } from './targets.ts';

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const thisMachine = `${process.platform}-${process.arch}`;
const wanted = (process.env.TARGET ?? '') === '' ? [thisMachine] : (process.env.TARGET as string).split(',');
for (const target of wanted.map(targetOf)) await write(target);

async function write(target: Target): Promise<void> {
  const folder = join(root, 'executables', target.name);
  const storage = await storagePackages(target);
  const licences = allLicences(target, storage.inputs);
  const own = new Map(Object.entries({ 'import.cjs': 'module.exports = (url) => import(url);\n', 'LICENSES.txt': licences }));
  const files = new Map([...serverFiles(), ...storage.files, ...[...own].map(([path, text]) => [path, Buffer.from(text)] as const)]);
  const executable = await assemble(target, files);
  const file = join(folder, fileNameOf(target));
  mkdirSync(folder, { recursive: true });
  rmSync(file, { force: true });
  writeFileSync(file, executable, { mode: 0o755 });
  writeFileSync(join(folder, 'LICENSES.txt'), licences);
  writeFileSync(join(folder, 'kubeloom.cdx.json'), materials(target, storage.inputs, executable));
  expectForm(target, executable);
  process.stdout.write(`${file.slice(root.length)}: ${(executable.length / 1e6).toFixed(1)} MB\n`);
}

/** Puts the files into Node, by the option --build-sea of a Node of the same version for this machine. */
async function assemble(target: Target, files: ReadonlyMap<string, Buffer>): Promise<Buffer> {
  const workshop = mkdtempSync(join(tmpdir(), 'kubeloom-executable-'));
  const write = (name: string, content: string | Buffer): string => {
    writeFileSync(join(workshop, name), content, { mode: 0o755 });
    return name;
  };
  try {
    const { index, blob } = pack(files);
    const boot = write('boot.js', await bundleBoot());
    const config = {
      main: boot,
      executable: write('node', strippedNode(target)),
      output: fileNameOf(target),
      disableExperimentalSEAWarning: true,
      assets: { boot, index: write('index.json', JSON.stringify(index)), contents: write('contents', blob) },
    };
    write('config.json', JSON.stringify(config));
    execFileSync(nodeBinary(builder(target)), ['--build-sea', 'config.json'], { cwd: workshop, stdio: ['ignore', 'ignore', 'inherit'] });
    return readFileSync(join(workshop, config.output));
  } finally {
    rmSync(workshop, { recursive: true, force: true });
  }
}

/** Returns a Node for this machine. Its version is the target's, because versions differ in the form of the blob. */
function builder(target: Target): NodePackage {
  const { name } = targetOf(thisMachine).node;
  const { version } = target.node;
  const found = nodePackages.find((each) => each.name === name && each.version === version);
  if (found === undefined) throw new Error(`${target.name} is built by Node ${version}, and no ${name} of this version is listed`);
  return found;
}

async function bundleBoot(): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['packaging/executable/boot/boot.ts'],
    bundle: true,
    write: false,
    format: 'cjs',
    platform: 'node',
    target: 'node22',
    minifySyntax: true,
    minifyWhitespace: true,
    logLevel: 'warning',
  });
  return outputFiles[0]?.text ?? '';
}

/** Returns the licences of Kubeloom, its packages, and Node. */
function allLicences(target: Target, inputs: readonly string[]): string {
  const own = `kubeloom ${manifest.version} (${manifest.license})\n\n${readFileSync(join(root, 'LICENSE'), 'utf8').trim()}\n`;
  const node = `node ${target.node.version}\n\n${nodeLicence(builder(target))}\n`;
  return [own, bundledLicences(), licencesOf(packagesOf(inputs)), node].filter((text) => text !== '').join(`\n${separator}\n\n`);
}

function materials(target: Target, inputs: readonly string[], executable: Buffer): string {
  const versions = JSON.parse(execFileSync(nodeBinary(builder(target)), ['-p', 'JSON.stringify(process.versions)'], { encoding: 'utf8' }));
  const { name, version, license } = manifest;
  const self = { name, version, licence: license, purl: `pkg:npm/${name}@${version}` };
  const components = [...listedComponents(bundledLicences()), ...bundledComponents(inputs), ...nodeComponents(versions)];
  return billOfMaterials(self, components, executable);
}

/** Returns the licences that the build collected. */
function bundledLicences(): string {
  return readFileSync(join(root, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8');
}
