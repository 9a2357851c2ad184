#!/usr/bin/env node

import { messageOf } from '../machinery/errors/message-of.ts';
import { isHelpFlag } from '../machinery/options/flags.ts';
import { commandLine } from './linked-command.ts';

interface Command {
  readonly name: string;
  readonly about: string;
  /** Loads only the code of the command, so that `serve` starts fast. */
  run(args: readonly string[]): Promise<void>;
}

const commands: readonly Command[] = [
  {
    name: 'serve',
    about: 'serve the Kubernetes API',
    run: async (args) => (await import('./serve.ts')).serve(args),
  },
  {
    name: 'ui',
    about: 'open the page of a server in a browser',
    run: async (args) => (await import('./ui.ts')).ui(args),
  },
  {
    name: 'init',
    about: 'write a test of an operator, or an API group, to begin with',
    run: async (args) => (await import('./init/init.ts')).init(args),
  },
  {
    name: 'generate',
    about: 'write types, codecs, validators and a client from schemas',
    run: generate,
  },
  {
    name: 'import',
    about: 'turn upstream API documents into schemas',
    run: importSchemas,
  },
  {
    name: 'kubeconfig',
    about: 'print the admin kubeconfig of a server',
    run: async (args) => (await import('./kubeconfig.ts')).kubeconfig(args),
  },
  {
    name: 'store',
    about: 'back up, restore, check, dump or compact a store',
    run: async (args) => (await import('./store/store.ts')).store(args),
  },
  {
    name: 'snapshot',
    about: 'save the objects of a server to a file, or load them',
    run: async (args) => (await import('./snapshot/snapshot.ts')).snapshot(args),
  },
  {
    name: 'history',
    about: 'print who changed which fields of an object, and when',
    run: async (args) => (await import('./history.ts')).history(args),
  },
  {
    name: 'diff',
    about: 'compare two states of a server',
    run: async (args) => (await import('./diff.ts')).diff(args),
  },
  {
    name: 'replay',
    about: 'serve a state of a recording, or let it happen again',
    run: async (args) => (await import('./replay.ts')).replay(args),
  },
  {
    name: 'envtest-assets',
    about: 'write a folder for KUBEBUILDER_ASSETS',
    run: async (args) => (await import('./envtest/envtest-assets.ts')).envtestAssets(args),
  },
  {
    name: 'kube-apiserver',
    about: 'serve as envtest starts kube-apiserver',
    run: async (args) => (await import('./envtest/kube-apiserver.ts')).kubeAPIServer(args),
  },
  {
    name: 'etcd',
    about: 'stand in for the etcd that envtest starts',
    run: async (args) => (await import('./envtest/etcd.ts')).etcd(args),
  },
  {
    name: 'doctor',
    about: 'check whether this machine has all that a server needs',
    run: async (args) => (await import('./doctor/doctor.ts')).doctor(args),
  },
  {
    name: 'completion',
    about: 'print a completion script for bash, zsh or fish',
    run: async (args) => (await import('./completion.ts')).completion(args),
  },
  { name: 'version', about: 'print the version', run: printVersion },
  {
    name: 'help',
    about: 'print this help, or that of a command',
    run: async ([name]) => (name === undefined || name === 'help' ? printHelp() : dispatch([name, '--help'])),
  },
];

async function generate(args: readonly string[]): Promise<void> {
  await checkGenerator();
  const { generateCommand } = await import('../../codegen/commands/generate.ts');
  const { generatorServices } = await import('./generator-services.ts');
  process.exitCode = await generateCommand(args, generatorServices);
}

async function importSchemas(args: readonly string[]): Promise<void> {
  await checkGenerator();
  const { importCommand } = await import('../../codegen/commands/import.ts');
  const { suggestionFor } = await import('../machinery/options/suggestion.ts');
  process.exitCode = await importCommand(args, suggestionFor);
}

async function checkGenerator(): Promise<void> {
  (await import('./generator-packages.ts')).checkGeneratorPackages();
}

async function printVersion(): Promise<void> {
  const { packageVersion } = await import('../machinery/version.ts');
  process.stdout.write(`kubeloom ${packageVersion()}\n`);
}

/** Ten lines for a first visit. */
function printIntroduction(): void {
  process.stdout.write(`Kubeloom is a Kubernetes-compatible API server.

  kubeloom serve --storage=memory --simulate   serve a cluster whose pods are simulated, until Ctrl+C
  export KUBECONFIG=$PWD/kubeconfig            in another shell, for kubectl and other clients
  kubectl create deployment web --image=nginx

  kubeloom init                                write a test of an operator to begin with
  kubeloom help                                list the commands
  kubeloom COMMAND --help                      describe the flags of a command
  kubeloom doctor                              check whether this machine has all that a server needs
`);
}

function printHelp(): void {
  const lines = commands.map(({ name, about }) => `  ${name.padEnd(16)}${about}\n`);
  process.stdout.write(`A Kubernetes-compatible API server.

Usage:
  kubeloom COMMAND [flags]

Commands:
${lines.join('')}
kubeloom COMMAND --help describes the flags of a command.
`);
}

async function dispatch([name, ...args]: readonly string[]): Promise<void> {
  if (name === undefined) return printIntroduction();
  if (isHelpFlag(name)) return printHelp();
  const found = commands.find((command) => command.name === (name === '--version' ? 'version' : name));
  if (!found) throw new Error(await unknownCommand(name));
  return found.run(args);
}

async function unknownCommand(name: string): Promise<string> {
  const { suggestionFor } = await import('../machinery/options/suggestion.ts');
  const meant = suggestionFor(
    name,
    commands.map((command) => command.name),
  );
  const hint = meant === undefined ? '; kubeloom help lists the commands' : `, did you mean ${JSON.stringify(meant)}?`;
  return `unknown command ${JSON.stringify(name)}${hint}`;
}

// readers of stdout may stop early, as `head` does
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

dispatch(commandLine()).catch((error: unknown) => {
  process.stderr.write(`kubeloom: ${messageOf(error).replaceAll('\n', ' ')}\n`);
  process.exitCode = 1;
});
