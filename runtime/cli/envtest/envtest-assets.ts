import { existsSync, realpathSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { isSea } from 'node:sea';
import { parseFlags, UsageError } from '../../machinery/options/flags.ts';
import { shellQuoted, writeEnvtestAssets } from '../../testkit/envtest/assets.ts';

const envtestAssetsHelp = `Write a folder for KUBEBUILDER_ASSETS, with which suites of controller-runtime's envtest run on Kubeloom.

Its kube-apiserver and etcd start this installation of Kubeloom. Its kubectl is a link to that of the PATH, if there is one.

Usage:
  eval "$(kubeloom envtest-assets DIR)"
  kubeloom envtest-assets DIR -- --controllers='*'

Flags after -- are given to each kube-apiserver, before those of envtest. kubeloom kube-apiserver --help lists them.
`;

/** Prints a line for the shell to evaluate. */
export async function envtestAssets(args: readonly string[]): Promise<void> {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const { positionals, help } = parseFlags(args.slice(0, end), [], 1);
  if (help) {
    process.stdout.write(envtestAssetsHelp);
    return;
  }
  const [given] = positionals;
  if (given === undefined) throw new UsageError('which folder? kubeloom envtest-assets --help');
  const apiServerFlags = args.slice(end + 1);
  if (process.platform === 'win32' && (!isSea() || apiServerFlags.length > 0)) {
    throw new UsageError('envtest-assets writes shell scripts, which Windows does not run');
  }
  const folder = resolve(given);
  const kubectl = onPath(process.platform === 'win32' ? 'kubectl.exe' : 'kubectl', folder);
  await writeEnvtestAssets(folder, {
    kubeloom: isSea() ? [process.execPath] : [process.execPath, ...process.execArgv, realpathSync(process.argv[1] ?? '')],
    apiServerFlags,
    kubectl,
  });
  process.stdout.write(`export KUBEBUILDER_ASSETS=${shellQuoted(folder)}\n`);
  if (kubectl === undefined && !existsSync(join(folder, 'kubectl'))) {
    process.stderr.write(`There is no kubectl on the PATH. Suites that call it need one in ${folder}.\n`);
  }
}

/** @param except a folder of the PATH to ignore */
function onPath(program: string, except: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders
    .filter((folder) => resolve(folder) !== except)
    .map((folder) => resolve(folder, program))
    .find(existsSync);
}
