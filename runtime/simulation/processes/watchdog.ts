import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';

/**
 * Reads which process groups run (`+ 123`) and have ended (`- 123`). When the server is no longer there, however it
 * ended, kills the groups and removes their files. `.` ends it without more.
 */
const script = `
trap '' HUP INT TERM
groups=' '
while read -r change group; do
  case $change in
    +) groups="$groups$group " ;;
    -)
      left=' '
      for one in $groups; do [ "$one" = "$group" ] || left="$left$one "; done
      groups=$left ;;
    .) exit 0 ;;
  esac
done
for one in $groups; do kill -s KILL -- "-$one" 2>/dev/null; done
rm -rf -- "$1"
`;

/** A process that outlives the server for a moment, and ends what the server has started. */
export class Watchdog {
  readonly #folder: string;
  #child: ChildProcess | undefined;

  /** @param folder removed if the server is killed */
  constructor(folder: string) {
    this.#folder = folder;
  }

  add(group: number): void {
    this.#child ??= this.#start();
    this.#write(`+ ${group}`);
  }

  remove(group: number): void {
    this.#write(`- ${group}`);
  }

  close(): void {
    this.#write('.');
    this.#child?.stdin?.end();
    this.#child = undefined;
  }

  #start(): ChildProcess | undefined {
    if (process.platform === 'win32') return undefined;
    const child = spawn('/bin/sh', ['-c', script, 'kubeloom-watchdog', this.#folder], {
      detached: true,
      cwd: '/',
      env: { PATH: '/usr/bin:/bin' },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    child.on('error', () => undefined);
    child.stdin?.on('error', () => undefined);
    child.unref();
    (child.stdin as Socket).unref();
    return child;
  }

  #write(line: string): void {
    this.#child?.stdin?.write(`${line}\n`);
  }
}
