import type { Command } from '../process.ts';
import { agnhostCommands } from './agnhost.ts';
import { fileCommands } from './files.ts';
import { nameCommands } from './names.ts';
import { networkCommands } from './network.ts';
import { systemCommands } from './system.ts';
import { textCommands } from './text.ts';
import { webCommands } from './web.ts';

const shells = ['sh', 'ash', 'bash'];

/** The commands in the $PATH of every simulated image. */
const commands: Readonly<Record<string, Command>> = {
  ...fileCommands,
  ...textCommands,
  ...systemCommands,
  ...agnhostCommands,
  ...nameCommands,
  ...networkCommands,
  ...webCommands,
  async which({ args, out }) {
    let code = 0;
    for (const name of args) {
      if (commandOf(name) !== undefined || shells.includes(name)) await out(`/bin/${name}\n`);
      else code = 1;
    }
    return code;
  },
};

/** The command of this name, with or without its folder; undefined if there is none. */
export function commandOf(name: string): Command | undefined {
  const short = name.replace(/^\/(?:usr\/)?(?:local\/)?s?bin\//, '');
  return Object.hasOwn(commands, short) ? commands[short] : undefined;
}

export const commandNames = (): readonly string[] => Object.keys(commands);
