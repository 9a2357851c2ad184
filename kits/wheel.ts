/** Builds the wheel of pytest-kubeloom: `make wheel`. It needs Python with pip. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../packaging/executable/root.ts';
import { writePythonPackage } from './python-package.ts';

const folder = mkdtempSync(join(tmpdir(), 'kubeloom-wheel-'));
try {
  writePythonPackage(folder);
  execFileSync('python3', ['-m', 'pip', 'wheel', '--no-deps', '--wheel-dir', join(root, 'executables'), folder], { stdio: 'inherit' });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
