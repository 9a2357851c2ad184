import type { PublicObject, PublicType } from './option-objects.ts';

/** Options with one mistake. */
export interface WrongOptions {
  /** The wrong member with its type, for exceptions: `TLSOptions` and the member's name. */
  readonly member: string;
  /** `simulate.nodes`, `groups[0].module` */
  readonly path: string;
  readonly options: unknown;
  /** The correct name. Absent for wrong values. */
  readonly meant?: string;
  /** The wrong value. Undefined for misspelled names. */
  readonly value?: unknown;
  /** The mistake, for messages. */
  readonly shown: string;
}

/** Required members of an object, by its type or by one of its members: `ServerOptions.auditLogMaxAge`. */
export type Samples = Readonly<Record<string, object>>;

/** Valid values that look wrong, by member. */
export type Exceptions = Readonly<Record<string, readonly unknown[]>>;

const notOfForm: Readonly<Record<string, unknown>> = {
  string: 'no such value',
  number: 7,
  boolean: true,
  object: {},
  list: [{}],
  null: null,
  function: () => undefined,
};

const wrongNumbers = [Number.NaN, Number.POSITIVE_INFINITY, -1, 0.5];

/** Yields every object in `type` with one misspelled key, and every member with a value of each wrong form. */
export function* wrongOptions(type: PublicType, samples: Samples): Generator<WrongOptions> {
  for (const object of type.objects) yield* wrongObjects(object, samples, '', (value) => value);
}

type Within = (value: unknown) => unknown;

function* wrongObjects({ name, members }: PublicObject, samples: Samples, path: string, within: Within): Generator<WrongOptions> {
  const sample = samples[name] ?? {};
  const meant = [...members.keys()].find((key) => misspelt(key, members) !== undefined);
  if (meant !== undefined) {
    const wrong = misspelt(meant, members) as string;
    const value = (sample as Readonly<Record<string, unknown>>)[meant] ?? sampleOf(members.get(meant));
    const { [meant]: _, ...rest } = sample as Record<string, unknown>;
    yield {
      member: `${name}.${meant}`,
      path: joined(path, wrong),
      meant,
      shown: `${wrong}: ...`,
      options: within({ ...rest, [wrong]: value }),
    };
  }
  for (const [key, type] of members) {
    const member = `${name}.${key}`;
    const inside: Within = (value) => within({ ...sample, ...samples[member], [key]: value });
    yield* wrongValues(type, samples, { member, path: joined(path, key), within: inside });
  }
}

function* wrongValues(
  type: PublicType,
  samples: Samples,
  place: { readonly member: string; readonly path: string; readonly within: Within },
): Generator<WrongOptions> {
  const { member, path, within } = place;
  const { forms, texts, objects, items, values } = type;
  if (forms.has('any')) return;
  for (const value of wrongForms(type)) yield { member, path, value, options: within(value), shown: shownValue(value) };
  if (forms.has('string') && texts.length > 0) {
    yield { member, path, options: within('no such value'), shown: '"no such value"' };
  }
  for (const object of objects) yield* wrongObjects(object, samples, path, within);
  if (items !== undefined) {
    yield* wrongValues(items, samples, { ...place, path: `${path}[0]`, within: (value) => within([value]) });
  }
  if (values !== undefined && !values.forms.has('never')) {
    yield* wrongValues(values, samples, { ...place, path: `${path}.x`, within: (value) => within({ x: value }) });
  }
}

function wrongForms({ forms, objects, values }: PublicType): unknown[] {
  const wrong = Object.entries(notOfForm)
    .filter(([form]) => !forms.has(form))
    .map(([, value]) => value);
  // a plain object is not an object of a class
  if (forms.has('object') && objects.length === 0 && values === undefined) wrong.push({});
  return forms.has('number') ? [...wrong, ...wrongNumbers] : wrong;
}

/** Returns a name with two letters swapped, unless that is another known name. */
function misspelt(name: string, known: ReadonlyMap<string, unknown>): string | undefined {
  for (let at = name.length - 2; at >= 0; at--) {
    const swapped = `${name.slice(0, at)}${name[at + 1]}${name[at]}${name.slice(at + 2)}`;
    if (swapped !== name && !known.has(swapped)) return swapped;
  }
  return undefined;
}

/** Returns a value of a type. */
function sampleOf(type: PublicType | undefined): unknown {
  if (type === undefined) return 1;
  const [form] = type.forms;
  return form === 'string' ? (type.texts[0] ?? 'x') : form === 'list' ? [] : notOfForm[form];
}

function shownValue(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  return typeof value === 'number' ? String(value) : JSON.stringify(value);
}

const joined = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);
