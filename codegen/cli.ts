import { generateCommand } from './commands/generate.ts';
import { importCommand } from './commands/import.ts';

/** `node codegen/cli.ts import|generate [flags]`, for the Makefile, which runs it before anything is built. */
const commands: Readonly<Record<string, (argv: readonly string[]) => Promise<number>>> = {
  import: importCommand,
  generate: generateCommand,
};

const [name = '', ...argv] = process.argv.slice(2);
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (command) process.exitCode = await command(argv);
else {
  process.stderr.write(`usage: codegen/cli.ts <command>, one of ${Object.keys(commands).join(', ')}\n`);
  process.exitCode = 1;
}
