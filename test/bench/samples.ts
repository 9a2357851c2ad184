import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

const shown = 40;

interface CallFrame {
  readonly functionName: string;
  readonly url: string;
  readonly lineNumber: number;
}

interface Sampled {
  readonly self: number;
  /** With the callees. A recursive function counts once for each stack. */
  readonly total: number;
}

/** Sums samples by function. */
class Samples {
  readonly #self = new Map<string, number>();
  readonly #total = new Map<string, number>();
  #all = 0;

  /** @param stack from the sampled function to its outermost caller */
  add(stack: readonly CallFrame[], amount: number): void {
    this.#all += amount;
    const [own] = stack;
    if (own !== undefined) count(this.#self, labelOf(own), amount);
    for (const label of new Set(stack.map(labelOf))) count(this.#total, label, amount);
  }

  print(what: string, unit: string, divisor: number): void {
    const amount = (value: number): string => (value / divisor).toFixed(1).padStart(9);
    const share = (value: number): string => `${((100 * value) / this.#all).toFixed(1)}%`.padStart(6);
    const rows = [...this.#total].map(([label, total]) => ({ label, total, self: this.#self.get(label) ?? 0 }));
    for (const order of ['self', 'total'] as const) {
      console.log(`\n${what} by ${order}, of ${(this.#all / divisor).toFixed(1)} ${unit}\n`);
      const sorted = rows.sort((a: Sampled, b: Sampled) => b[order] - a[order]).slice(0, shown);
      for (const { label, total, self } of sorted) console.log(`${amount(self)} ${share(self)} ${amount(total)} ${share(total)}  ${label}`);
    }
  }
}

const count = (sums: Map<string, number>, label: string, amount: number): unknown => sums.set(label, (sums.get(label) ?? 0) + amount);

function labelOf({ functionName, url, lineNumber }: CallFrame): string {
  const name = functionName === '' ? '(anonymous)' : functionName;
  return url === '' ? name : `${name} ${basename(url)}:${lineNumber + 1}`;
}

/** The probe starts and stops the profile. */
const isProbe = ({ url }: CallFrame): boolean => url.endsWith('/probe.mjs');

interface ProfileNode {
  readonly id: number;
  readonly callFrame: CallFrame;
  readonly children?: readonly number[];
}

/** Prints a profile of the processor, with its top functions. */
export function printProcessor(path: string): void {
  const profile = JSON.parse(readFileSync(path, 'utf8')) as { nodes: ProfileNode[]; samples: number[]; timeDeltas: number[] };
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const parents = new Map(profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const samples = new Samples();
  for (const [index, id] of profile.samples.entries()) {
    const stack: CallFrame[] = [];
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const frame = nodes.get(at)?.callFrame;
      if (frame !== undefined && frame.functionName !== '(root)') stack.push(frame);
    }
    if (stack[0]?.functionName !== '(idle)' && !stack.some(isProbe)) samples.add(stack, profile.timeDeltas[index]);
  }
  samples.print(path, 'ms', 1000);
}

interface HeapNode {
  readonly callFrame: CallFrame;
  readonly selfSize: number;
  readonly children: readonly HeapNode[];
}

/** Prints samples of allocations, with the functions that made most. */
export function printAllocations(path: string): void {
  const { head } = JSON.parse(readFileSync(path, 'utf8')) as { head: HeapNode };
  const samples = new Samples();
  const visit = (node: HeapNode, callers: readonly CallFrame[]): void => {
    const stack = [node.callFrame, ...callers];
    if (node.selfSize > 0) samples.add(stack, node.selfSize);
    for (const child of node.children) visit(child, node.callFrame.functionName === '(root)' ? [] : stack);
  };
  visit(head, []);
  samples.print(path, 'MiB', 2 ** 20);
}
