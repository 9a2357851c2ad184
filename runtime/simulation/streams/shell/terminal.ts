import { StringDecoder } from 'node:string_decoder';
import { Input } from './input.ts';
import type { Process } from './process.ts';
import { Shell } from './shell.ts';

/** The longest line that can be typed. */
const maxLine = 4096;
const control = { c: '\x03', d: '\x04', backspace: '\b', delete: '\x7f' };

/** Runs an interactive shell: runs line by line, and prompts and echoes input on a terminal. */
export async function runInteractively(process: Process): Promise<number> {
  const { hasTerminal: tty = false } = process;
  const write = tty ? (data: string | Buffer) => process.out(data.toString().replaceAll('\n', '\r\n')) : process.out;
  const shell = new Shell({ ...process, stdin: Input.empty(), out: write, err: tty ? write : process.err });
  const prompt = async (): Promise<void> => {
    if (tty) await process.out(`${shell.folder} # `);
  };
  const decoder = new StringDecoder('utf8');
  let line = '';
  let code = 0;
  let typed = 0;
  await prompt();
  for await (const chunk of process.stdin.chunks(process.time)) {
    for (const char of decoder.write(chunk)) {
      if (typed++ % 256 === 0) await process.time.use();
      if (char === control.d && line === '') {
        if (tty) await process.out('\r\n');
        return code;
      }
      if (char === '\n' || char === '\r') {
        if (tty) await process.out('\r\n');
        const ran = await shell.run(line);
        code = ran.code;
        line = '';
        if (ran.hasEnded) return code;
        await prompt();
      } else if (tty && char === control.c) {
        line = '';
        await process.out('^C\r\n');
        await prompt();
      } else if (tty && (char === control.backspace || char === control.delete)) {
        if (line !== '') await process.out('\b \b');
        line = line.slice(0, -1);
      } else if (line.length < maxLine) {
        line += char;
        if (tty) await process.out(char);
      }
    }
  }
  return line === '' ? code : (await shell.run(line)).code;
}
