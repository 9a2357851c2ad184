import { widthOf } from './literals.ts';

/**
 * A text with places where its lines may break, as in Wadler's "A prettier printer". A group is one line if it fits;
 * otherwise it breaks at all of its own lines.
 */
export type Layout = string | readonly Layout[] | Line | Group | Indent | Choice | IfBroken;

/** A place where a line may break. */
interface Line {
  readonly kind: 'line';
  /** The text in place of the break in an unbroken line. */
  readonly flat: '' | ' ';
  readonly isHard: boolean;
  /** Whether an empty line follows. */
  readonly isBlank: boolean;
}

interface Group {
  readonly kind: 'group';
  readonly content: Layout;
  /** Whether the group breaks even if it fits. */
  readonly isBroken: boolean;
}

interface Indent {
  readonly kind: 'indent';
  readonly content: Layout;
  /** A group that decides about the indentation: the content is indented only if this group breaks. */
  readonly ifBroken?: Group;
}

/** The first of several layouts whose beginning fits, or else the last one. */
interface Choice {
  readonly kind: 'choice';
  readonly layouts: readonly Layout[];
}

/** Two texts: one for a broken group and one for an unbroken group. */
interface IfBroken {
  readonly kind: 'if-broken';
  readonly broken: Layout;
  readonly flat: Layout;
}

/** A space, or a break. */
export const line: Line = { kind: 'line', flat: ' ', isHard: false, isBlank: false };
/** Nothing, or a break. */
export const softLine: Line = { kind: 'line', flat: '', isHard: false, isBlank: false };
/** A break, which also breaks each group around it. */
export const hardLine: Line = { kind: 'line', flat: '', isHard: true, isBlank: false };
/** A break and an empty line. */
export const blankLine: Line = { kind: 'line', flat: '', isHard: true, isBlank: true };

export const group = (content: Layout, isBroken = false): Group => ({
  kind: 'group',
  content,
  isBroken: isBroken || breaks(content),
});

export const indent = (content: Layout): Indent => ({ kind: 'indent', content });

/** Indents a layout if a group before it is broken. */
export const indentIfBroken = (content: Layout, decides: Group): Indent => ({
  kind: 'indent',
  content,
  ifBroken: decides,
});

export const ifBroken = (broken: Layout, flat: Layout = ''): IfBroken => ({ kind: 'if-broken', broken, flat });

export const choice = (...layouts: readonly Layout[]): Choice => ({ kind: 'choice', layouts });

export function join(separator: Layout, layouts: readonly Layout[]): Layout {
  return layouts.flatMap((layout, index) => (index === 0 ? [layout] : [separator, layout]));
}

/** Reports whether a layout cannot be one line. */
export function breaks(layout: Layout): boolean {
  if (typeof layout === 'string') return false;
  if (isList(layout)) return layout.some(breaks);
  switch (layout.kind) {
    case 'line':
      return layout.isHard;
    case 'group':
      return layout.isBroken;
    case 'indent':
      return breaks(layout.content);
    case 'choice':
      return breaks(layout.layouts[0] ?? '');
    case 'if-broken':
      return false;
  }
}

/** An unprinted part of a layout. */
interface Command {
  readonly depth: number;
  readonly isFlat: boolean;
  readonly layout: Layout;
}

const indentation = (depth: number): string => '  '.repeat(depth);

/** Prints a layout, with lines of at most `width` characters where it can break. */
export function printLayout(root: Layout, width: number): string {
  return new Printer(width).print(root);
}

class Printer {
  readonly #width: number;
  readonly #brokenGroups = new Set<Group>();
  readonly #commands: Command[] = [];
  #text = '';
  #column = 0;

  constructor(width: number) {
    this.#width = width;
  }

  print(root: Layout): string {
    this.#commands.push({ depth: 0, isFlat: false, layout: root });
    for (let next = this.#commands.pop(); next !== undefined; next = this.#commands.pop()) this.#step(next);
    return this.#text;
  }

  #step({ depth, isFlat, layout }: Command): void {
    if (typeof layout === 'string') this.#write(layout);
    else if (isList(layout)) for (const part of layout.toReversed()) this.#push(depth, isFlat, part);
    else if (layout.kind === 'line') this.#line(layout, depth, isFlat);
    else if (layout.kind === 'group') this.#group(layout, depth, isFlat);
    else if (layout.kind === 'choice') this.#push(depth, isFlat, isFlat ? (layout.layouts[0] ?? '') : this.#chosen(layout, depth));
    else if (layout.kind === 'if-broken') this.#push(depth, isFlat, isFlat ? layout.flat : layout.broken);
    else {
      const isIndented = layout.ifBroken === undefined || this.#brokenGroups.has(layout.ifBroken);
      this.#push(isIndented ? depth + 1 : depth, isFlat, layout.content);
    }
  }

  #line({ isHard, isBlank, flat }: Line, depth: number, isFlat: boolean): void {
    if (isFlat && !isHard) {
      this.#write(flat);
      return;
    }
    this.#text += `${isBlank ? '\n\n' : '\n'}${indentation(depth)}`;
    this.#column = 2 * depth;
  }

  #group(layout: Group, depth: number, isFlat: boolean): void {
    const flat = { depth, isFlat: true, layout: layout.content };
    if (isFlat || (!layout.isBroken && this.#fits(flat))) {
      this.#commands.push(flat);
      return;
    }
    this.#brokenGroups.add(layout);
    this.#push(depth, false, layout.content);
  }

  #chosen({ layouts }: Choice, depth: number): Layout {
    const [first = '', ...others] = layouts;
    if (!breaks(first) && this.#fits({ depth, isFlat: true, layout: first })) return first;
    return others.find((layout) => this.#fits({ depth, isFlat: false, layout })) ?? (layouts.at(-1) as Layout);
  }

  #push(depth: number, isFlat: boolean, layout: Layout): void {
    this.#commands.push({ depth, isFlat, layout });
  }

  #write(text: string): void {
    this.#text += text;
    const end = text.lastIndexOf('\n');
    this.#column = widthOf(text.slice(end + 1)) + (end < 0 ? this.#column : 0);
  }

  /** Reports whether a command and its successors fit into the line, up to the next break. */
  #fits(command: Command): boolean {
    let room = this.#width - this.#column;
    const pending = [command];
    let rest = this.#commands.length;
    while (room >= 0) {
      const next = pending.pop() ?? this.#commands[--rest];
      if (next === undefined) return true;
      const { isFlat, layout } = next;
      if (typeof layout === 'string') room -= widthOf(layout);
      else if (isList(layout)) for (const part of layout.toReversed()) pending.push({ ...next, layout: part });
      else if (layout.kind === 'line') {
        if (!isFlat || layout.isHard) return true;
        room -= layout.flat.length;
      } else if (layout.kind === 'group') pending.push({ ...next, isFlat: isFlat && !layout.isBroken, layout: layout.content });
      else if (layout.kind === 'indent') pending.push({ ...next, layout: layout.content });
      else if (layout.kind === 'choice') pending.push({ ...next, layout: layout.layouts.at(isFlat ? 0 : -1) as Layout });
      else pending.push({ ...next, layout: isFlat ? layout.flat : layout.broken });
    }
    return false;
  }
}

const isList = (layout: Layout): layout is readonly Layout[] => Array.isArray(layout);
