#!/usr/bin/env node
interface Command {
  readonly name: string;
  readonly about: string;
  /** Loads no more than the command needs: `serve` should be ready in a blink. */
  run(args: readonly string[]): Promise<void>;
}

const commands: readonly Command[] = [
  {
    name: 'serve',
    about: 'serve the Kubernetes API',
    run: async (args) => (await import('./serve.ts')).serve(args),
  },
  {
    name: 'generate',
    about: 'write types, codecs, validators and a client from schemas',
    run: async (args) => (await import('./generate.ts')).generate(args),
  },
  {
    name: 'import',
    about: 'turn upstream API documents into schemas',
    run: async (args) => (await import('./generate.ts')).importSchemas(args),
  },
  {
    name: 'kubeconfig',
    about: 'print the admin kubeconfig of a server',
    run: async (args) => (await import('./kubeconfig.ts')).kubeconfig(args),
  },
  {
    name: 'store',
    about: 'check, dump or compact a store on disk',
    run: async (args) => (await import('./store.ts')).store(args),
  },
  { name: 'version', about: 'print the version', run: async () => (await import('./version.ts')).printVersion() },
  {
    name: 'help',
    about: 'print this, or the help of a command',
    run: async ([name]) => (name === undefined || name === 'help' ? printHelp() : dispatch([name, '--help'])),
  },
];

function printHelp(): void {
  const lines = commands.map(({ name, about }) => `  ${name.padEnd(12)}${about}\n`);
  process.stdout.write(`A Kubernetes-compatible API server.

Usage:
  kubeloom COMMAND [flags]

Commands:
${lines.join('')}
kubeloom COMMAND --help tells a command's flags.
`);
}

async function dispatch([name, ...args]: readonly string[]): Promise<void> {
  if (name === undefined || name === '--help' || name === '-h') return printHelp();
  const found = commands.find((command) => command.name === (name === '--version' ? 'version' : name));
  if (!found) throw new Error(`unknown command ${JSON.stringify(name)}; kubeloom help lists them`);
  return found.run(args);
}

// a reader that stops reading, as `head` does, is no failure
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

try {
  await dispatch(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`kubeloom: ${(error as Error).message.replaceAll('\n', ' ')}\n`);
  process.exitCode = 1;
}
