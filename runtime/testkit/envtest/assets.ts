import { chmod, copyFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../machinery/files/make-folder.ts';

/** The programs that envtest starts. Kubeloom has commands with the same names. */
const programs = ['etcd', 'kube-apiserver'] as const;

export interface EnvtestAssets {
  /** The command of Kubeloom: the path of Node, its flags, and the path of the script; or the path of an executable alone. */
  readonly kubeloom: readonly string[];
  /** Flags of kube-apiserver before those of envtest, which take precedence. */
  readonly apiServerFlags: readonly string[];
  /** The target of the link `kubectl`. Default: no link. */
  readonly kubectl?: string | undefined;
}

/**
 * Writes a folder for KUBEBUILDER_ASSETS: programs with the names that envtest starts. They are shell scripts. Without flags,
 * those of an executable are links to it, and copies on Windows: it runs a command by the name of its link. Other files stay.
 * (controller-runtime pkg/internal/testing/process/bin_path_finder.go)
 */
export async function writeEnvtestAssets(folder: string, assets: EnvtestAssets): Promise<void> {
  const { kubeloom, apiServerFlags, kubectl } = assets;
  makeFolder(folder, 0o777);
  for (const program of programs) {
    const flags = program === 'kube-apiserver' ? apiServerFlags : [];
    const [executable = '', ...script] = kubeloom;
    if (script.length === 0 && flags.length === 0) await link(executable, join(folder, program));
    else await writeScript(join(folder, program), [...kubeloom, program, ...flags]);
  }
  if (kubectl !== undefined) await link(kubectl, join(folder, 'kubectl'));
}

async function link(target: string, path: string): Promise<void> {
  const isWindows = process.platform === 'win32';
  const name = isWindows ? `${path}.exe` : path;
  await rm(name, { force: true });
  await (isWindows ? copyFile(target, name) : symlink(target, name));
}

/** Writes a script that execs the command, so that this receives envtest's signals. */
async function writeScript(path: string, command: readonly string[]): Promise<void> {
  // remove a link first: writing through it would replace a real binary
  await rm(path, { force: true });
  await writeFile(path, `#!/bin/sh\nexec ${command.map(shellQuoted).join(' ')} "$@"\n`);
  await chmod(path, 0o755);
}

/** Quotes a text as one word of sh. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
