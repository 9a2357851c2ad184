import type { Container } from '../../../generated/v1.35/core/v1/types.ts';
import { knownImage } from './image.ts';
import { isProgram } from './known-programs.ts';
import { flagsOf, numberFlag } from './servers/flags.ts';

/** How a container runs, by its command and its image. */
export type ProgramPlan =
  /** Runs until it is stopped. */
  | { readonly kind: 'lasts'; readonly stop: StopPlan }
  /** Ends after milliseconds. */
  | { readonly kind: 'ends'; readonly after: number; readonly exitCode: number }
  /** Runs a command of the simulation's shell. */
  | { readonly kind: 'runs'; readonly isComplete: boolean }
  /** Has a command that the image lacks. */
  | { readonly kind: 'missing'; readonly command: string }
  /** Has a program of its own. */
  | { readonly kind: 'unknown' };

/** How a program ends after SIGTERM. */
export interface StopPlan {
  /** Milliseconds. */
  readonly after: number;
  readonly exitCode: number;
  /** What it writes into the default file of the termination message. */
  readonly message?: string;
}

export const endsAtOnce: StopPlan = { after: 0, exitCode: 0 };
/** The first process of a container does nothing by default. (pid_namespaces) */
export const ignoresStop: StopPlan = { after: Number.POSITIVE_INFINITY, exitCode: 137 };
/** What Go does as the first process. */
const endsAsGo: StopPlan = { after: 0, exitCode: 2 };

const lasts: ProgramPlan = { kind: 'lasts', stop: endsAtOnce };
const lastsThrough: ProgramPlan = { kind: 'lasts', stop: ignoresStop };
const unknown: ProgramPlan = { kind: 'unknown' };
const plans = new WeakMap<Container, ProgramPlan>();

/** Returns the plan of a container. Most are decided without running anything. */
export function programPlan(container: Container): ProgramPlan {
  let plan = plans.get(container);
  if (plan === undefined) {
    plan = planOf(container);
    plans.set(container, plan);
  }
  return plan;
}

/**
 * Returns the words of the command before variables are expanded: the container's, or else those of its image. Undefined
 * if nobody knows them.
 */
export function commandLine({ image = '', command, args }: Container): readonly string[] | undefined {
  const known = knownImage(image);
  if (command?.length) return [...command, ...(args ?? [])];
  if (known !== undefined) return [...known.entrypoint, ...(args?.length ? args : known.command)];
  const [first = ''] = args ?? [];
  return isProgram(first) ? args : undefined;
}

function planOf(container: Container): ProgramPlan {
  // the command runs when a client attaches
  if (container.stdin) return lasts;
  const line = commandLine(container);
  const [name = '', ...args] = line ?? [];
  if (line === undefined || name.includes('$(')) return unknown;
  const base = name.replace(/^.*\//, '');
  // a shell at a terminal waits for what is typed
  if (container.tty && args.length === 0 && /^(?:ba|a|da)?sh$/.test(base)) return lastsThrough;
  if (servers.has(base)) return lasts;
  if (base === 'agnhost' || base === 'agnhost-2')
    return agnhostServers.has(args[0] ?? '') ? { kind: 'lasts', stop: agnhostStop(args) } : { kind: 'runs', isComplete: true };
  const isComplete = knownImage(container.image ?? '')?.isComplete ?? false;
  if (!isProgram(name)) return isComplete && !otherApplets.has(base) && !name.includes('/') ? { kind: 'missing', command: name } : unknown;
  return shortcut(base, args) ?? { kind: 'runs', isComplete };
}

/** Returns how a server of agnhost ends after SIGTERM. */
function agnhostStop([command = 'pause', ...args]: readonly string[]): StopPlan {
  switch (command) {
    case 'netexec':
      return { after: second * Math.max(0, numberFlag(flagsOf(args), 'delay-shutdown', 0)), exitCode: 0 };
    case '':
    case 'pause':
      return { after: 0, exitCode: 2, message: 'exiting because of signal "terminated"\n' };
    case 'serve-hostname':
      return { after: 60 * second, exitCode: 0 };
    case 'tcp-reset':
      return endsAtOnce;
    default:
      return endsAsGo;
  }
}

const second = 1000;

/** Plans for the most frequent commands, which need no shell. */
function shortcut(name: string, args: readonly string[]): ProgramPlan | undefined {
  if (name === 'true') return { kind: 'ends', after: 0, exitCode: 0 };
  if (name === 'false') return { kind: 'ends', after: 0, exitCode: 1 };
  const script = /^(?:ba|a|da)?sh$/.test(name) && args.length === 2 && args[0] === '-c' ? (args[1] ?? '').trim() : undefined;
  const [, time, unit = 's'] = /^sleep ((?:\d{1,9}(?:\.\d{1,3})?)|infinity)([smhd]?)$/.exec(script ?? `${name} ${args.join(' ')}`) ?? [];
  if (time === 'infinity') return lastsThrough;
  if (time !== undefined) return { kind: 'ends', after: Number(time) * second * (units[unit] ?? 1), exitCode: 0 };
  const [, code] = /^exit (\d{1,3})$/.exec(script ?? '') ?? [];
  return code === undefined ? undefined : { kind: 'ends', after: 0, exitCode: Number(code) & 255 };
}

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

const servers: ReadonlySet<string> = new Set([
  'pause',
  'nginx',
  'httpd-foreground',
  'httpd',
  'redis-server',
  'memcached',
  'haproxy',
  'etcd',
]);

/** The commands of agnhost that run until they are stopped. */
const agnhostServers: ReadonlySet<string> = new Set([
  '',
  'pause',
  'netexec',
  'porter',
  'serve-hostname',
  'test-webserver',
  'fake-gitserver',
  'guestbook',
  'liveness',
  'logs-generator',
  'net',
  'nettest',
  'no-snat-test',
  'no-snat-test-proxy',
  'resource-consumer',
  'resource-consumer-controller',
  'webhook',
  'crd-conversion-webhook',
  'audit-proxy',
  'grpc-health-checking',
  'inclusterclient',
  'tcp-reset',
  'mounttest-server',
]);

/** Programs of busybox and its kin that the simulation does not have. */
const otherApplets: ReadonlySet<string> = new Set([
  'awk',
  'busybox',
  'crond',
  'httpd',
  'init',
  'telnet',
  'top',
  'traceroute',
  'udhcpd',
  'vi',
]);
