import { setTimeout } from 'node:timers/promises';
import type { Attack, Attacks } from '../../attacks/harness/attack.ts';
import { AttackedServer, type Outcome } from '../../attacks/harness/attacked-server.ts';
import { tables } from '../../attacks/rows/index.ts';
import { prefer } from '../processor.ts';
import type { Report } from '../report.ts';

/** The most expensive rows of test/attacks, by table. */
const worst: Readonly<Record<string, readonly string[]>> = {
  'JSON bodies': [
    'configmaps: 150,000 unknown fields, Strict',
    'widgets: 150,000 unknown fields, Warn',
    'gadgets: 3 MiB of small keys',
    'gadgets: 900,000 empty objects',
    'widgets: 400,000 texts in place of numbers',
    'gadgets: 100,000 nested objects',
  ],
  'YAML bodies': [
    'gadgets: 2,969 KiB of tags of texts',
    'gadgets: 2,969 KiB of comments',
    'gadgets: 2,969 KiB of small keys',
    'gadgets: 2,969 KiB of anchors',
    'configmaps: one key 250,000 times, Warn',
    'a body of colons',
    'gadgets: an integer of 3 MiB',
  ],
  'protobuf bodies': ['pods: 100,000 empty containers'],
  'patterns and formats': ['(a+)+$ against 1,048,576 bytes', 'a definition with 1,000 alternations'],
  expressions: ['indexOf of half of it of 200,000 letters é', '200 rules at their limit'],
  patches: ['gadgets, json: 9,999 items at the front of a list of 100,000', 'gadgets, merge: 200,000 keys'],
  selectors: ['list: 90,000 requirements that a label differs'],
  'apply and managed fields': ['widgets, apply: a list map of 40,000'],
  growth: [
    'configmaps, json: an unknown list doubled 16 times',
    'gadgets, json: a list doubled 16 times, stored',
    '15,000 items with 50 defaults of 200 characters',
    'defaulteds, apply: 15,000 items with 50 defaults',
    'a policy, values',
    'pods: 20,000 empty containers',
    'pods, YAML: 20,000 empty containers',
    'pods, protobuf: 30,000 empty containers',
    'a table with a text of 1 MiB in 1,000 columns',
    'a table whose paths find values again and again',
  ],
  'patches of webhooks': ['a list doubled 16 times, stored', '15,000 empty containers'],
  metadata: ['configmaps: 10,000 owners', 'configmaps: 250,000 invalid labels'],
};

/** Bytes of the object that a row makes or reads, where the request and the response are shorter. */
const made: Readonly<Record<string, number>> = {
  'configmaps, json: an unknown list doubled 16 times': 2 * 2 ** 20,
  'gadgets, json: a list doubled 16 times, stored': 2 * 2 ** 20,
  'a list doubled 16 times, stored': 2 * 2 ** 20,
};

/** Objects and keys of rows in which they are so short that their number, not their bytes, decides how much memory they take. */
const parts: Readonly<Record<string, number>> = {
  'configmaps: 250,000 invalid labels': 250_000,
  'gadgets: 3 MiB of small keys': 250_000,
  'gadgets: 2,969 KiB of small keys': 250_000,
  'gadgets, merge: 200,000 keys': 200_000,
  'pods: 100,000 empty containers': 100_000,
  'configmaps, json: an unknown list doubled 16 times': 655_360,
  'gadgets, json: a list doubled 16 times, stored': 655_360,
  'a list doubled 16 times, stored': 655_360,
};

const rounds = 3;
const longestDelay = 50;
/** Most memory for each byte, and for each object or key. (docs/limits.md, Memory) */
const mostMemory = 20;
const mostOfPart = 400;
/** Bytes of garbage that any request may cause. */
const slack = 16 * 2 ** 20;
/** The time until memory must be released, in milliseconds, and bytes that may remain. */
const back = 10_000;
const mayStay = 32 * 2 ** 20;

/** Measures the effect of each of the worst rows on other clients and on memory. Reports the median of rounds. */
export async function attacks(report: Report): Promise<void> {
  let [stands, growths, returns] = [0, 0, 0];
  let rows = 0;
  let longest = { name: '', delay: 0 };
  for (const [title, names] of Object.entries(worst)) {
    const table = tables.find((one) => one.title === title) as Attacks;
    const server = await AttackedServer.open(table);
    prefer(server.pid);
    try {
      for (const name of names) {
        const row = table.rows.find((one) => one.name === name);
        if (row === undefined) throw new Error(`${title} has no row ${name}`);
        const { delay, multiple, ofPart, isBack, status } = await measured(server, row);
        const growth = `memory grew by ${multiple.toFixed(1)} x${ofPart === undefined ? '' : `, ${ofPart.toFixed(0)} B for each object or key`}`;
        report.row(
          `${title}, ${name}`,
          `${status}; loop stood ${delay.toFixed(0)} ms; ${growth}; ${isBack ? 'came back' : 'did not come back'}`,
          '',
          `${longestDelay} ms, ${mostMemory} x${ofPart === undefined ? '' : ` or ${mostOfPart} B`}, back`,
        );
        rows++;
        if (delay > longest.delay) longest = { name: `${title}, ${name}`, delay };
        if (delay <= longestDelay) stands++;
        if (multiple <= mostMemory || (ofPart ?? Number.POSITIVE_INFINITY) <= mostOfPart) growths++;
        if (isBack) returns++;
      }
    } finally {
      await server.close();
    }
  }
  report.row(`the worst of them: ${longest.name}`, `loop stood ${longest.delay.toFixed(0)} ms`, '', `${longestDelay} ms`);
  report.row(`of ${rows} attacks, those that meet each target`, `${stands} the loop, ${growths} memory, ${returns} its return`, '', 'all');
}

interface Measured {
  readonly status: string;
  readonly delay: number;
  /** Growth of resident memory, beyond the slack, for each byte of the request, of its response, or of the object it makes. */
  readonly multiple: number;
  /** The same for each object or key, for rows that are counted by these. */
  readonly ofPart: number | undefined;
  readonly isBack: boolean;
}

async function measured(server: AttackedServer, row: Attack): Promise<Measured> {
  const outcomes: Outcome[] = [];
  const { memory } = await server.holding();
  for (let round = 0; round < rounds; round++) {
    outcomes.push(await server.attack(row));
    // another round would take as long
    if (outcomes[0].isStuck) break;
  }
  const median = (of: (outcome: Outcome) => number): number => outcomes.map(of).sort((a, b) => a - b)[Math.floor(outcomes.length / 2)];
  const { response, isStuck, sent } = outcomes[0];
  const growth = Math.max(0, median(({ grown }) => grown) - slack);
  return {
    status: isStuck ? 'no response in 20 s' : `${response.status}`,
    delay: median(({ delay }) => delay),
    multiple: growth / Math.max(sent, response.bytes, made[row.name] ?? 0),
    ofPart: row.name in parts ? growth / parts[row.name] : undefined,
    isBack: !isStuck && (await comesBack(server, memory)),
  };
}

/** Reports whether memory returns to its level before the row. Memory released earlier does not count. */
async function comesBack(server: AttackedServer, before: number): Promise<boolean> {
  const most = before + mayStay;
  for (const deadline = performance.now() + back; performance.now() < deadline; await setTimeout(500)) {
    if ((await server.holding()).memory <= most) return true;
  }
  return false;
}
