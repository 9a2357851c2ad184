import type { Command, Process } from '../process.ts';
import { KilledError } from '../processor-time.ts';
import { exitCodeAfter, Signals, signalName } from '../signals.ts';
import { testExpression } from '../test-expression.ts';
import { argumentsOf, readAll } from './support.ts';
import { pause } from './text.ts';

/* Commands about the system, and commands that run others. */

function listed(env: ReadonlyMap<string, string>): string {
  const lines: string[] = [];
  for (const [name, value] of env) lines.push(`${name}=${value}\n`);
  return lines.join('');
}

const units: ReadonlyMap<string | undefined, number> = new Map([
  ['m', 60],
  ['h', 3600],
  ['d', 86_400],
]);

/** Returns milliseconds; undefined for no duration. */
function durationOf(text: string): number | undefined {
  if (text === 'infinity' || text === 'inf') return Number.POSITIVE_INFINITY;
  const match = /^(\d{1,9}(?:\.\d{1,6})?|\.\d{1,6})([smhd]?)$/.exec(text);
  return match === null ? undefined : Number(match[1]) * (units.get(match[2]) ?? 1) * 1000;
}

async function sleep(process: Process): Promise<number> {
  const { args, clock, err } = process;
  let ms = 0;
  for (const arg of args) {
    const duration = durationOf(arg);
    if (duration === undefined) {
      await err(`sleep: invalid number '${arg}'\n`);
      return 1;
    }
    ms += duration;
  }
  if (args.length === 0) {
    await err('sleep: missing operand\n');
    return 1;
  }
  for (const end = clock.now() + ms; clock.now() < end; ) await pause(process, end - clock.now());
  process.time.rested();
  return 0;
}

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const fullDays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

function formatTime(format: string, ms: number): string {
  const date = new Date(ms);
  const two = (value: number, fill = '0'): string => String(value).padStart(2, fill);
  const clock = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`;
  const day = `${date.getUTCFullYear()}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`;
  const values: Readonly<Record<string, () => string>> = {
    Y: () => String(date.getUTCFullYear()),
    y: () => two(date.getUTCFullYear() % 100),
    m: () => two(date.getUTCMonth() + 1),
    d: () => two(date.getUTCDate()),
    e: () => two(date.getUTCDate(), ' '),
    H: () => two(date.getUTCHours()),
    I: () => two(date.getUTCHours() % 12 || 12),
    M: () => two(date.getUTCMinutes()),
    S: () => two(date.getUTCSeconds()),
    N: () => `${String(ms % 1000).padStart(3, '0')}000000`,
    s: () => String(Math.floor(ms / 1000)),
    F: () => day,
    T: () => clock,
    D: () => `${two(date.getUTCMonth() + 1)}/${two(date.getUTCDate())}/${two(date.getUTCFullYear() % 100)}`,
    R: () => clock.slice(0, 5),
    a: () => days[date.getUTCDay()] ?? '',
    A: () => fullDays[date.getUTCDay()] ?? '',
    b: () => months[date.getUTCMonth()] ?? '',
    h: () => months[date.getUTCMonth()] ?? '',
    j: () => String(Math.floor((ms - Date.UTC(date.getUTCFullYear(), 0)) / 86_400_000) + 1).padStart(3, '0'),
    p: () => (date.getUTCHours() < 12 ? 'AM' : 'PM'),
    u: () => String(date.getUTCDay() || 7),
    w: () => String(date.getUTCDay()),
    Z: () => 'UTC',
    z: () => '+0000',
    n: () => '\n',
    t: () => '\t',
    '%': () => '%',
    c: () => formatTime('%a %b %e %T %Y', ms),
  };
  return format.replace(/%-?(.)/g, (whole, letter: string) => (Object.hasOwn(values, letter) ? (values[letter]?.() ?? '') : whole));
}

async function date({ args, clock, out, err }: Process): Promise<number> {
  const { flags, values, operands } = argumentsOf(args, 'drDI');
  const given = values.get('d') ?? values.get('date');
  const parsed =
    given === undefined || given === 'now' ? clock.now() : /^@\d{1,12}$/.test(given) ? 1000 * Number(given.slice(1)) : Date.parse(given);
  if (Number.isNaN(parsed)) {
    await err(`date: invalid date '${given}'\n`);
    return 1;
  }
  const format = operands.find((operand) => operand.startsWith('+'))?.slice(1);
  const standard = flags.has('R') ? '%a, %d %b %Y %T %z' : flags.has('I') || flags.has('iso-8601') ? '%F' : '%a %b %e %T %Z %Y';
  await out(`${formatTime(format ?? standard, parsed)}\n`);
  return 0;
}

/** Replaces the escapes of echo -e and printf. `\c` ends the text. */
function unescaped(text: string): { readonly text: string; readonly ends: boolean } {
  const end = /(?:^|[^\\])(?:\\\\)*\\c/.exec(text);
  const part = end === null ? text : text.slice(0, end.index + end[0].length - 2);
  const simple: Readonly<Record<string, string>> = {
    n: '\n',
    t: '\t',
    r: '\r',
    a: '\x07',
    b: '\b',
    e: '\x1b',
    f: '\f',
    v: '\v',
    '\\': '\\',
  };
  const replaced = part.replace(/\\(?:x([0-9a-fA-F]{1,2})|0?([0-7]{1,3})|(.))/gs, (whole, hex?: string, octal?: string, char = '') => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 255);
    return simple[char] ?? whole;
  });
  return { text: replaced, ends: end !== null };
}

async function echo({ args, out }: Process): Promise<number> {
  let first = 0;
  let isPlain = true;
  let hasEnd = true;
  while (/^-[neE]+$/.test(args[first] ?? '')) {
    const option = args[first++] ?? '';
    if (option.includes('n')) hasEnd = false;
    if (option.includes('e')) isPlain = false;
  }
  const text = args.slice(first).join(' ');
  if (isPlain) await out(hasEnd ? `${text}\n` : text);
  else {
    const { text: replaced, ends } = unescaped(text);
    await out(hasEnd && !ends ? `${replaced}\n` : replaced);
  }
  return 0;
}

/** The widest field of printf. */
const maxWidth = 4096;

function formatted(letter: string, flags: string, width: number, precision: number | undefined, value: string): string {
  const number = /^["']/.test(value) ? value.charCodeAt(1) || 0 : Number.parseFloat(value) || 0;
  const integer = /^[+-]?0[xX][0-9a-fA-F]{1,15}$/.test(value) ? Number(value) : Math.trunc(number);
  const texts: Readonly<Record<string, () => string>> = {
    d: () => String(integer),
    i: () => String(integer),
    u: () => String(integer),
    x: () => integer.toString(16),
    X: () => integer.toString(16).toUpperCase(),
    o: () => integer.toString(8),
    c: () => value.slice(0, 1),
    s: () => (precision === undefined ? value : value.slice(0, precision)),
    b: () => unescaped(value).text,
    f: () => number.toFixed(Math.min(precision ?? 6, 20)),
    e: () => number.toExponential(Math.min(precision ?? 6, 20)),
    g: () => String(number),
    q: () => value,
  };
  const text = texts[letter]?.() ?? '';
  if (flags.includes('-')) return text.padEnd(width);
  if (flags.includes('0') && 'diuxXof'.includes(letter)) {
    return text.startsWith('-') ? `-${text.slice(1).padStart(width - 1, '0')}` : text.padStart(width, '0');
  }
  return text.padStart(width);
}

async function printf({ args, time, out, err }: Process): Promise<number> {
  const [given, ...values] = args;
  if (given === undefined) {
    await err('printf: usage: printf FORMAT [ARG]...\n');
    return 1;
  }
  const { text: format } = unescaped(given.replaceAll('%%', '%\0'));
  let next = 0;
  do {
    await time.use();
    const before = next;
    const text = format.replace(/%(?:\0|([-0+ #]*)(\*|\d{0,4})(?:\.(\d{1,4}))?([diuxXoscbfegq]))/g, (...match) => {
      const [, flags, width, precision, letter] = match as (string | undefined)[];
      if (letter === undefined) return '%';
      const columns = width === '*' ? Number(values[next++]) || 0 : Number(width || 0);
      const digits = precision === undefined ? undefined : Number(precision);
      return formatted(letter, flags ?? '', Math.min(Math.abs(columns), maxWidth), digits, values[next++] ?? '');
    });
    await out(Buffer.from(text, /[^\0-\xff]/.test(text) ? 'utf8' : /[\x80-\xff]/.test(given) ? 'utf8' : 'latin1'));
    if (next === before) break;
  } while (next < values.length);
  return 0;
}

/** Runs a command as a child. */
async function runChild(process: Process, line: readonly string[], given: Partial<Process> = {}): Promise<number> {
  const [name, ...args] = line;
  if (name === undefined) return 0;
  return process.run(name, { ...process, args, depth: process.depth + 1, ...given });
}

async function env(process: Process): Promise<number> {
  const variables = new Map(process.env);
  let at = 0;
  for (; at < process.args.length; at++) {
    const arg = process.args[at] ?? '';
    if (arg === '-i' || arg === '-') variables.clear();
    else if (arg === '-u') variables.delete(process.args[++at] ?? '');
    else if (/^[A-Za-z_]\w*=/.test(arg)) variables.set(arg.slice(0, arg.indexOf('=')), arg.slice(arg.indexOf('=') + 1));
    else break;
  }
  const command = process.args.slice(at);
  if (command.length > 0) return runChild(process, command, { env: variables });
  await process.out(listed(variables));
  return 0;
}

async function timeout(process: Process): Promise<number> {
  const { flags, values, operands } = leading(process.args, 'ks');
  const [duration = '', ...command] = operands;
  const ms = durationOf(duration);
  if (ms === undefined || command.length === 0) {
    await process.err(`timeout: invalid number '${duration}'\n`);
    return 1;
  }
  const signal = signalName(values.get('s') ?? 'TERM') ?? 'TERM';
  let isLate = false;
  const signals = new Signals();
  try {
    const code = await process.time.child(async (time, pid) => {
      const cancel = process.clock.after(Math.min(ms, 2 ** 31 - 1), () => {
        isLate = true;
        if (!signals.send(signal)) time.kill(exitCodeAfter(signal));
      });
      return runChild(process, command, { time, pid, signals }).finally(cancel);
    });
    return isLate && !flags.has('preserve-status') ? 143 : code;
  } catch (error) {
    if (!(error instanceof KilledError) || process.time.isKilled) throw error;
    return isLate ? 143 : error.exitCode;
  }
}

/** Reads the options before the first operand. */
function leading(args: readonly string[], withValue: string) {
  let at = 0;
  while (/^-./.test(args[at] ?? '')) at += withValue.includes((args[at] ?? '').slice(1)) ? 2 : 1;
  const { flags, values } = argumentsOf(args.slice(0, at), withValue);
  return { flags, values, operands: args.slice(at) };
}

async function xargs(process: Process): Promise<number> {
  const { flags, values, operands } = leading(process.args, 'nIPL');
  const text = (await readAll(process)).toString();
  const marker = values.get('I');
  const words = text.split(flags.has('0') ? '\0' : marker === undefined ? /\s+/ : '\n').filter((word) => word !== '');
  const command = operands.length > 0 ? operands : ['echo'];
  const size = marker !== undefined ? 1 : Math.max(1, Number(values.get('n') ?? words.length) || 1);
  if (words.length === 0) return flags.has('r') ? 0 : runChild(process, command);
  let code = 0;
  for (let at = 0; at < words.length; at += size) {
    await process.time.command();
    const part = words.slice(at, at + size);
    const line = marker === undefined ? [...command, ...part] : command.map((word) => word.replaceAll(marker, part[0] ?? ''));
    if ((await runChild(process, line)) !== 0) code = 123;
  }
  return code;
}

async function watch(process: Process): Promise<number> {
  const { values, operands } = leading(process.args, 'n');
  for (;;) {
    await runChild(process, ['sh', '-c', operands.join(' ')]);
    await pause(process, (Number(values.get('n')) || 2) * 1000);
  }
}

const groupsOf = ({ files: { user } }: Process): number[] => [...new Set([user.gid, ...user.groups])];
const nameOf = (id: number): string | undefined =>
  new Map([
    [0, 'root'],
    [65534, 'nobody'],
  ]).get(id);
const named = (id: number): string => `${id}${nameOf(id) === undefined ? '' : `(${nameOf(id)})`}`;

async function id(process: Process): Promise<number> {
  const { flags } = argumentsOf(process.args);
  const { uid, gid } = process.files.user;
  const text = (value: number): string => (flags.has('n') ? (nameOf(value) ?? String(value)) : String(value));
  if (flags.has('u')) await process.out(`${text(uid)}\n`);
  else if (flags.has('g')) await process.out(`${text(gid)}\n`);
  else if (flags.has('G')) await process.out(`${groupsOf(process).map(text).join(' ')}\n`);
  else await process.out(`uid=${named(uid)} gid=${named(gid)} groups=${groupsOf(process).map(named).join()}\n`);
  return 0;
}

export const systemCommands: Readonly<Record<string, Command>> = {
  arch: async ({ out }) => {
    await out('x86_64\n');
    return 0;
  },
  clear: () => 0,
  date,
  echo,
  env,
  async expr(process) {
    const { args, out } = process;
    const [left = '', operator = '', right = ''] = args;
    const numbers = [left, right].map((text) => (/^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN)) as [number, number];
    const results: Readonly<Record<string, () => number | string>> = {
      '+': () => numbers[0] + numbers[1],
      '-': () => numbers[0] - numbers[1],
      '*': () => numbers[0] * numbers[1],
      '/': () => Math.trunc(numbers[0] / numbers[1]),
      '%': () => numbers[0] % numbers[1],
      '=': () => Number(left === right),
      '!=': () => Number(left !== right),
      '<': () => Number(numbers[0] < numbers[1]),
      '>': () => Number(numbers[0] > numbers[1]),
      '<=': () => Number(numbers[0] <= numbers[1]),
      '>=': () => Number(numbers[0] >= numbers[1]),
    };
    const result = args.length === 1 ? left : results[operator]?.();
    if (result === undefined || Number.isNaN(result)) {
      await process.err('expr: syntax error\n');
      return 2;
    }
    await out(`${result}\n`);
    return result === 0 || result === '' || result === '0' ? 1 : 0;
  },
  false: () => 1,
  async free({ out }) {
    await out('              total        used        free      shared  buff/cache   available\n');
    await out(
      'Mem:      268435456        1024   268434432           0           0   268434432\nSwap:             0           0           0\n',
    );
    return 0;
  },
  groups: async (process) => {
    await process.out(
      `${groupsOf(process)
        .map((each) => nameOf(each) ?? each)
        .join(' ')}\n`,
    );
    return 0;
  },
  async hostname({ args, env: variables, files, out }) {
    const own = files.isFile('/etc/hostname') ? files.read('/etc/hostname').toString().trim() : (variables.get('HOSTNAME') ?? '');
    if (args.includes('-i') || args.includes('-I')) {
      const lines = files.isFile('/etc/hosts') ? files.read('/etc/hosts').toString().split('\n') : [];
      const line = lines.find((each) => each.split(/\s+/).slice(1).includes(own));
      await out(`${line?.split(/\s+/)[0] ?? '127.0.0.1'}\n`);
    } else await out(`${args.includes('-s') ? (own.split('.')[0] ?? '') : own}\n`);
    return 0;
  },
  id,
  nice: (process) => runChild(process, leading(process.args, 'n').operands),
  nohup: (process) => runChild(process, process.args),
  async nproc({ out }) {
    await out('32\n');
    return 0;
  },
  async printenv({ args: [name], env: variables, out }) {
    if (name === undefined) {
      await out(listed(variables));
      return 0;
    }
    const value = variables.get(name);
    if (value === undefined) return 1;
    await out(`${value}\n`);
    return 0;
  },
  printf,
  async ps({ pid, out }) {
    await out(`PID   USER     TIME  COMMAND\n    1 root      0:00 init\n${String(pid).padStart(5)} root      0:00 ps\n`);
    return 0;
  },
  async pwd({ folder, out }) {
    await out(`${folder}\n`);
    return 0;
  },
  sleep,
  test: (process) => testExpression(process, process.args),
  '[': async (process) => {
    if (process.args.at(-1) === ']') return testExpression(process, process.args.slice(0, -1));
    await process.err('[: missing ]\n');
    return 2;
  },
  time: (process) => runChild(process, process.args),
  timeout,
  true: () => 0,
  async tty({ out }) {
    await out('not a tty\n');
    return 1;
  },
  async uname({ args, files, out }) {
    const host = files.isFile('/etc/hostname') ? files.read('/etc/hostname').toString().trim() : '';
    const { flags } = argumentsOf(args);
    const parts: [string, string][] = [
      ['s', 'Linux'],
      ['n', host],
      ['r', '6.12.0-simulated'],
      ['v', '#1 SMP'],
      ['m', 'x86_64'],
      ['o', 'GNU/Linux'],
    ];
    const chosen = parts.filter(([letter]) => flags.has('a') || flags.has(letter) || (flags.size === 0 && letter === 's'));
    await out(`${chosen.map(([, text]) => text).join(' ')}\n`);
    return 0;
  },
  async uptime({ clock, out }) {
    await out(` ${formatTime('%T', clock.now())} up 1 day,  0:00,  0 users,  load average: 0.00, 0.00, 0.00\n`);
    return 0;
  },
  watch,
  whoami: async ({ files, err, out }) => {
    const name = nameOf(files.user.uid);
    if (name === undefined) {
      await err(`whoami: unknown uid ${files.user.uid}\n`);
      return 1;
    }
    await out(`${name}\n`);
    return 0;
  },
  xargs,
  async yes({ args, out }) {
    for (const line = `${args.join(' ') || 'y'}\n`.repeat(64); ; ) await out(line);
  },
};
