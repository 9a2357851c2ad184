export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Family {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly samples: readonly Sample[];
}

const head = /^# HELP ([a-zA-Z_:][\w:]*) (\S.*)$/;
const type = /^# TYPE ([a-zA-Z_:][\w:]*) (counter|gauge|histogram|summary|untyped)$/;
const line = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (NaN|[+-]Inf|-?\d+(?:\.\d+)?(?:e[+-]\d+)?)$/;
const label = /([a-zA-Z_]\w*)="((?:[^"\\\n]|\\[\\"n])*)"(,|$)/y;
const suffixes = ['_bucket', '_sum', '_count'];

/** Parses text in the Prometheus format strictly. @throws Error for lines that Prometheus or promtool would reject */
export function parseMetrics(text: string): Map<string, Family> {
  if (!text.endsWith('\n')) throw new Error('the last line has no end');
  const families = new Map<string, { name: string; type: string; help: string; samples: Sample[] }>();
  const seen = new Set<string>();
  let current: { name: string; type: string; help: string; samples: Sample[] } | undefined;
  let help: RegExpExecArray | null = null;
  for (const one of text.slice(0, -1).split('\n')) {
    if (one.startsWith('# HELP')) {
      help = head.exec(one);
      if (help === null || families.has(help[1])) throw new Error(`a bad or second head: ${one}`);
    } else if (one.startsWith('# TYPE')) {
      const [, name, kind] = type.exec(one) ?? [];
      if (name === undefined || name !== help?.[1]) throw new Error(`a bad type: ${one}`);
      current = { name, type: kind, help: help[2], samples: [] };
      families.set(name, current);
    } else if (one !== '') {
      const sample = parseSample(one);
      if (current === undefined || !belongs(sample.name, current)) throw new Error(`outside its metric: ${one}`);
      const key = `${sample.name} ${JSON.stringify(Object.entries(sample.labels).sort())}`;
      if (seen.has(key)) throw new Error(`twice: ${one}`);
      seen.add(key);
      current.samples.push(sample);
    }
  }
  for (const family of families.values()) if (family.type === 'histogram') checkHistogram(family);
  return families;
}

function parseSample(one: string): Sample {
  const [, name, labels = '', value] = line.exec(one) ?? [];
  if (name === undefined) throw new Error(`no sample: ${one}`);
  const found: Record<string, string> = {};
  label.lastIndex = 0;
  while (label.lastIndex < labels.length) {
    const pair = label.exec(labels);
    if (pair === null || Object.hasOwn(found, pair[1])) throw new Error(`bad labels: ${one}`);
    found[pair[1]] = pair[2];
  }
  return { name, labels: found, value: Number(value.replace('Inf', 'Infinity')) };
}

function belongs(name: string, family: Family): boolean {
  return family.type === 'histogram' ? suffixes.some((one) => name === family.name + one) : name === family.name;
}

/** Checks that each bucket includes all below it, and that the last one counts everything. */
function checkHistogram({ name, samples }: Family): void {
  const series = new Map<string, { bounds: number[]; counts: number[]; total?: number }>();
  for (const { name: part, labels, value } of samples) {
    const { le, ...rest } = labels;
    const key = JSON.stringify(rest);
    const one = series.get(key) ?? { bounds: [], counts: [] };
    series.set(key, one);
    if (part === `${name}_bucket`) {
      one.bounds.push(Number(le.replace('Inf', 'Infinity')));
      one.counts.push(value);
    } else if (part === `${name}_count`) {
      one.total = value;
    }
  }
  for (const [key, { bounds, counts, total }] of series) {
    const sorted = (list: readonly number[]): boolean => list.every((value, at) => at === 0 || list[at - 1] <= value);
    if (!sorted(bounds) || !sorted(counts) || counts.at(-1) !== total || bounds.at(-1) !== Infinity) {
      throw new Error(`a bad histogram: ${name} ${key}`);
    }
  }
}
