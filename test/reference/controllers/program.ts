import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { missingKubeApiserver } from '../../support/kube-apiserver.ts';

const home = process.env.KUBE_HOME ?? '';

export type ProgramName = 'kube-controller-manager' | 'kube-scheduler';

const names: readonly ProgramName[] = ['kube-controller-manager', 'kube-scheduler'];

/** The reason why Kubernetes' own controllers cannot run; undefined if they can. */
export const missingControllers: string | undefined =
  missingKubeApiserver ??
  (names.every((name) => existsSync(join(home, 'bin', name)))
    ? undefined
    : `${join(home, 'bin')} does not have both kube-controller-manager and kube-scheduler`);

/** A line of a log that says that something went wrong. */
export interface LogLine {
  readonly program: string;
  readonly text: string;
  /** The text without what differs between two runs: names, numbers, times and identities. */
  readonly template: string;
}

/** The letter of a severity, the date, the time, the thread and the place in the source. (klog) */
const header = /^([IWEF])\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ ([\w.-]+):\d+\] /;

/** Returns the warnings and errors in a log of klog. A panic has no header. */
export function problemsIn(program: string, log: string): readonly LogLine[] {
  return log.split('\n').flatMap((text) => {
    const [, severity, file] = header.exec(text) ?? [];
    const isPanic = severity === undefined && /^(panic:|fatal error:)/.test(text);
    if (!isPanic && (severity === undefined || severity === 'I')) return [];
    return [{ program, text, template: `${severity ?? 'panic'} ${program} ${file ?? ''}: ${templateOf(text.replace(header, ''))}` }];
  });
}

/** Returns a text without what differs between two runs. */
export const templateOf = (text: string): string =>
  text
    .replaceAll('\\"', "'")
    .replaceAll(/&(v\d+\.)?\w+\{.*\}/g, '{…}')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{32,}/g, '…')
    .replaceAll(/"[a-z0-9][a-z0-9.:/[\\]…-]*"/g, '"…"')
    .replaceAll(/'[^']*'/g, "'…'")
    .replaceAll(/\b(\w+)="[^"]*"/g, (whole, name: string) => (name === 'err' ? whole : `${name}="…"`))
    .replaceAll(/\b[a-z0-9]+(-[a-z0-9]+)*\/[a-z0-9.-]+/g, '…')
    .replaceAll(/\d+/g, '0');

/** A running program of Kubernetes. */
export class Program {
  readonly name: ProgramName;
  readonly #child: ChildProcess;
  readonly #onExit = (): boolean => this.#child.kill('SIGKILL');
  #log = '';
  #hasStopped = false;

  private constructor(name: ProgramName, child: ChildProcess) {
    this.name = name;
    this.#child = child;
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#log += text;
    });
    process.on('exit', this.#onExit);
  }

  static start(name: ProgramName, args: readonly string[]): Program {
    return new Program(name, spawn(join(home, 'bin', name), args, { stdio: ['ignore', 'ignore', 'pipe'] }));
  }

  get log(): string {
    return this.#log;
  }

  /** Returns what went wrong until now. */
  problems(): readonly LogLine[] {
    const { exitCode, signalCode } = this.#child;
    const hasEnded = !this.#hasStopped && (exitCode !== null || signalCode !== null);
    const end = hasEnded ? `panic: ${this.name} has ended with ${exitCode ?? signalCode}` : '';
    return problemsIn(this.name, `${this.#log}\n${end}`);
  }

  /** Stops the program. With LOGS, a folder, keeps its log there. */
  async stop(): Promise<void> {
    process.off('exit', this.#onExit);
    const { LOGS: folder = '' } = process.env;
    if (folder !== '') await writeFile(join(folder, `${this.name}-${this.#child.pid}.log`), this.#log);
    const { exitCode, signalCode } = this.#child;
    if (exitCode !== null || signalCode !== null) return;
    this.#hasStopped = true;
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exited;
  }
}
