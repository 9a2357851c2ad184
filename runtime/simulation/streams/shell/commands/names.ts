import { addressesOf, askFor, type FoundAnswer, settingsOf } from '../../../network/dns/look-up.ts';
import type { DNSRecord, RecordType } from '../../../network/dns/record.ts';
import { candidates, dataOf } from '../../../network/dns/resolver.ts';
import type { Command, Process } from '../process.ts';
import { addressOf, waitFor } from './connections.ts';

/* Clients of DNS: nslookup, dig, host and getent. */

const types: ReadonlySet<string> = new Set(['A', 'AAAA', 'CNAME', 'PTR', 'SRV', 'NS', 'SOA', 'TXT', 'MX', 'ANY']);
/** Seconds for which the answers of the cluster's DNS server may be kept. */
const ttl = 30;

const typeOf = (text: string | undefined): RecordType | undefined => {
  const name = text?.toUpperCase() ?? '';
  return types.has(name) ? (name as RecordType) : undefined;
};

/** Returns the name under which DNS has an address: `5.0.0.10.in-addr.arpa.` */
const reverseName = (address: string): string => `${address.split('.').reverse().join('.')}.in-addr.arpa.`;
const isAddress = (text: string): boolean => /^\d{1,3}(?:\.\d{1,3}){3}$/.test(text);

interface Question {
  readonly names: readonly string[];
  readonly type: RecordType;
  readonly servers: readonly string[];
}

const ask = (process: Process, { names, type, servers }: Question): Promise<FoundAnswer | undefined> =>
  waitFor(process, askFor(names, type, process.network, servers));

const withoutDot = (name: string): string => name.replace(/\.$/, '');

const nslookup: Command = async (process) => {
  let type: RecordType | undefined;
  const operands: string[] = [];
  for (const arg of process.args) {
    const [, given] = /^-(?:type|query|q)=(\w+)$/.exec(arg) ?? [];
    if (given !== undefined) type = typeOf(given);
    else if (!arg.startsWith('-')) operands.push(arg);
  }
  const [name, given] = operands;
  if (name === undefined) {
    await process.err('nslookup: missing host\n');
    return 1;
  }
  const settings = settingsOf(process);
  const server = given === undefined ? settings.servers[0] : await addressOf(process, given).catch(() => undefined);
  if (server === undefined) {
    await process.err(`nslookup: couldn't get address for '${given}': not found\n`);
    return 1;
  }
  const isReverse = isAddress(name);
  const names = isReverse ? [reverseName(name)] : candidates(name, settings);
  const wanted: RecordType[] = type !== undefined ? [type] : isReverse ? ['PTR'] : ['A', 'AAAA'];
  const records: DNSRecord[] = [];
  let last: FoundAnswer | undefined;
  for (const each of wanted) {
    last = await ask(process, { names, type: each, servers: [server] });
    if (last === undefined) {
      await process.out(';; connection timed out; no servers could be reached\n\n');
      return 1;
    }
    records.push(...last.records.filter((record) => !records.some((one) => one.type === record.type && one.data === record.data)));
    if (last.code === 'NXDOMAIN') break;
  }
  await process.out(`Server:\t\t${server}\nAddress:\t${server}#53\n\n`);
  if (records.length === 0) {
    const why =
      last?.code === 'NXDOMAIN' ? `** server can't find ${withoutDot(name)}: NXDOMAIN` : `*** Can't find ${withoutDot(name)}: No answer`;
    await process.out(`${why}\n\n`);
    return 1;
  }
  for (const { name: own, type: kind, data } of records) {
    if (kind === 'A' || kind === 'AAAA') await process.out(`Name:\t${withoutDot(own)}\nAddress: ${data}\n`);
    else await process.out(`${kind === 'PTR' ? own.replace(/\.$/, '') : withoutDot(own)}\t${words[kind] ?? kind} = ${data}\n`);
  }
  await process.out('\n');
  return 0;
};

const words: Readonly<Partial<Record<RecordType, string>>> = { CNAME: 'canonical name', PTR: 'name', SRV: 'service', TXT: 'text' };

const lineOf = ({ name, type, data }: DNSRecord): string => `${name}\t\t${ttl}\tIN\t${type}\t${data}\n`;

const dig: Command = async (process) => {
  const settings = settingsOf(process);
  const shown = new Set(['question', 'answer', 'comments', 'stats']);
  const questions: { name: string; type: RecordType }[] = [];
  let servers = settings.servers;
  let type: RecordType | undefined;
  let isShort = false;
  let searches = false;
  for (let at = 0; at < process.args.length; at++) {
    const arg = process.args[at] ?? '';
    const [, no, option] = /^\+(no)?(\w+)/.exec(arg) ?? [];
    if (arg.startsWith('@')) servers = [await addressOf(process, arg.slice(1)).catch(() => '')];
    else if (arg === '-x') questions.push({ name: reverseName(process.args[++at] ?? ''), type: 'PTR' });
    else if (arg === '-t') type = typeOf(process.args[++at]);
    else if (arg === '-q') questions.push({ name: process.args[++at] ?? '', type: 'A' });
    else if (arg === '-p' || arg === '-b' || arg === '-c') at++;
    else if (option === 'short') isShort = no === undefined;
    else if (option === 'search') searches = no === undefined;
    else if (option === 'all') {
      for (const part of ['question', 'answer', 'comments', 'stats']) if (no === undefined) shown.add(part);
      if (no !== undefined) shown.clear();
    } else if (option !== undefined) {
      if (no === undefined) shown.add(option);
      else shown.delete(option);
    } else if (!arg.startsWith('-')) {
      const known = typeOf(arg);
      const last = questions.at(-1);
      if (known === undefined) questions.push({ name: arg, type: type ?? 'A' });
      else if (last === undefined) type = known;
      else last.type = known;
    }
  }
  for (const { name, type: own } of questions) {
    const names = searches ? candidates(name, settings) : [`${withoutDot(name)}.`];
    const answer = await ask(process, { names, type: own, servers });
    if (answer === undefined) {
      await process.out(`;; communications error to ${servers[0]}#53: timed out\n;; no servers could be reached\n`);
      return 9;
    }
    if (isShort) for (const { data } of answer.records) await process.out(`${data}\n`);
    else await process.out(reportOf(answer, own, servers[0] ?? '', shown));
  }
  return 0;
};

function reportOf({ code, name, records }: FoundAnswer, type: RecordType, server: string, shown: ReadonlySet<string>): string {
  const parts: string[] = [];
  if (shown.has('comments')) {
    parts.push(`\n; <<>> DiG 9.18.24 <<>> ${withoutDot(name)} ${type}\n;; global options: +cmd\n;; Got answer:\n`);
    parts.push(`;; ->>HEADER<<- opcode: QUERY, status: ${code}, id: 4711\n`);
    parts.push(`;; flags: qr aa rd; QUERY: 1, ANSWER: ${records.length}, AUTHORITY: ${records.length > 0 ? 0 : 1}, ADDITIONAL: 1\n\n`);
  }
  if (shown.has('question')) parts.push(`${shown.has('comments') ? ';; QUESTION SECTION:\n' : ''};${name}\t\tIN\t${type}\n\n`);
  if (shown.has('answer') && records.length > 0) {
    parts.push(`${shown.has('comments') ? ';; ANSWER SECTION:\n' : ''}${records.map(lineOf).join('')}${shown.has('comments') ? '\n' : ''}`);
  }
  if (shown.has('stats')) parts.push(`;; Query time: 0 msec\n;; SERVER: ${server}#53(${server}) (UDP)\n\n`);
  return parts.join('');
}

const host: Command = async (process) => {
  let type: RecordType | undefined;
  const operands: string[] = [];
  for (let at = 0; at < process.args.length; at++) {
    const arg = process.args[at] ?? '';
    if (arg === '-t') type = typeOf(process.args[++at]);
    else if (!arg.startsWith('-')) operands.push(arg);
  }
  const [name = '', given] = operands;
  const settings = settingsOf(process);
  const servers = given === undefined ? settings.servers : [given];
  const isReverse = isAddress(name);
  const names = isReverse ? [reverseName(name)] : candidates(name, { ...settings, ndots: settings.ndots });
  const answer = await ask(process, { names, type: type ?? (isReverse ? 'PTR' : 'A'), servers });
  if (answer === undefined) {
    await process.out(';; connection timed out; no servers could be reached\n');
    return 1;
  }
  if (answer.code === 'NXDOMAIN') {
    await process.out(`Host ${isReverse ? withoutDot(names[0] ?? '') : name} not found: 3(NXDOMAIN)\n`);
    return 1;
  }
  for (const { name: own, type: kind, data } of answer.records) {
    const text = {
      A: 'has address',
      AAAA: 'has IPv6 address',
      CNAME: 'is an alias for',
      PTR: 'domain name pointer',
      SRV: 'has SRV record',
    } as Readonly<Record<string, string>>;
    await process.out(`${withoutDot(own)} ${text[kind] ?? kind} ${data}\n`);
  }
  return 0;
};

const getent: Command = async (process) => {
  const [database = '', ...keys] = process.args;
  if (!/^a?hosts(?:v4|v6)?$/.test(database)) {
    await process.err(`getent: unknown database: ${database}\n`);
    return 1;
  }
  for (const key of keys) {
    const addresses = await waitFor(process, addressesOf(key, process));
    const [first] = addresses;
    if (first === undefined) return 2;
    const answer = isAddress(key)
      ? undefined
      : await ask(process, { ...settingsOf(process), names: candidates(key, settingsOf(process)), type: 'A' });
    const name = withoutDot(dataOf(answer?.records ?? [], 'A').length > 0 ? (answer?.name ?? key) : key);
    if (database === 'hosts') await process.out(`${first.padEnd(15)} ${name}\n`);
    else {
      for (const address of addresses) {
        await process.out(`${address.padEnd(15)} STREAM ${name}\n${address.padEnd(15)} DGRAM\n${address.padEnd(15)} RAW\n`);
      }
    }
  }
  return 0;
};

export const nameCommands: Readonly<Record<string, Command>> = { dig, getent, host, nslookup };
