import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { serverFiles } from '../packaging/executable/packed.ts';
import { root } from '../packaging/executable/root.ts';

/** Writes the source of pytest-kubeloom, with the built server and the licences of its parts inside. */
export function writePythonPackage(folder: string): void {
  cpSync(join(root, 'kits/python'), folder, { recursive: true });
  const licences = ['LICENSE', 'dist/THIRD-PARTY-LICENSES.txt'].map((path) => [path, readFileSync(join(root, path))] as const);
  for (const [path, bytes] of [...serverFiles(), ...licences]) {
    const file = join(folder, 'src/pytest_kubeloom/server', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
  }
}
