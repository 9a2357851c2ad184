import { chmod, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../machinery/files/make-folder.ts';

/** The programs that envtest starts, which are commands of Kubeloom with the same names. */
const programs = ['etcd', 'kube-apiserver'] as const;

export interface EnvtestAssets {
  /** How Kubeloom is started: the path of Node, its flags, and the path of the command. */
  readonly kubeloom: readonly string[];
  /** Flags of kube-apiserver that come before those of envtest, which therefore win. */
  readonly apiServerFlags: readonly string[];
  /** The path of a kubectl, to which `kubectl` becomes a link. Default: none. */
  readonly kubectl?: string | undefined;
}

/**
 * Writes a folder for KUBEBUILDER_ASSETS: shell scripts under the names of the programs that envtest starts. What else is
 * there stays. (controller-runtime pkg/internal/testing/process/bin_path_finder.go)
 */
export async function writeEnvtestAssets(folder: string, assets: EnvtestAssets): Promise<void> {
  const { kubeloom, apiServerFlags, kubectl } = assets;
  makeFolder(folder, 0o777);
  for (const program of programs) {
    const flags = program === 'kube-apiserver' ? apiServerFlags : [];
    await writeProgram(join(folder, program), [...kubeloom, program, ...flags]);
  }
  if (kubectl === undefined) return;
  await rm(join(folder, 'kubectl'), { force: true });
  await symlink(kubectl, join(folder, 'kubectl'));
}

/** The script becomes Node, so that envtest's signals reach it. */
async function writeProgram(path: string, command: readonly string[]): Promise<void> {
  // a link to a real binary must not be written through
  await rm(path, { force: true });
  await writeFile(path, `#!/bin/sh\nexec ${command.map(shellQuoted).join(' ')} "$@"\n`);
  await chmod(path, 0o755);
}

/** As one word of sh. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
