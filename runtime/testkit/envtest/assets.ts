import { chmod, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../machinery/files/make-folder.ts';

/** The programs that envtest starts. Kubeloom has commands with the same names. */
const programs = ['etcd', 'kube-apiserver'] as const;

export interface EnvtestAssets {
  /** The command of Kubeloom: the path of Node, its flags, and the path of the script. */
  readonly kubeloom: readonly string[];
  /** Flags of kube-apiserver before those of envtest, which take precedence. */
  readonly apiServerFlags: readonly string[];
  /** The target of the link `kubectl`. Default: no link. */
  readonly kubectl?: string | undefined;
}

/**
 * Writes a folder for KUBEBUILDER_ASSETS: shell scripts with the names of the programs that envtest starts. Other files
 * stay. (controller-runtime pkg/internal/testing/process/bin_path_finder.go)
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

/** Writes a script that execs Node, so that Node receives envtest's signals. */
async function writeProgram(path: string, command: readonly string[]): Promise<void> {
  // remove a link first: writing through it would replace a real binary
  await rm(path, { force: true });
  await writeFile(path, `#!/bin/sh\nexec ${command.map(shellQuoted).join(' ')} "$@"\n`);
  await chmod(path, 0o755);
}

/** Quotes a text as one word of sh. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
