import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import { withoutProse } from '../../differential/compare.ts';
import type { TestValue } from '../../support/test-object.ts';
import type { Answer } from './exchange.ts';

/** A difference that is meant. docs/differences.md says why, under the same name. */
export interface Cause {
  readonly name: string;
  /** What is left of an answer without it. */
  without?(answer: Answer): Answer;
  /** Whether the answers differ because of it, whatever else they say. */
  explains?(reference: Answer, own: Answer): boolean;
}

const isObject = (value: unknown): value is Record<string, TestValue> => typeof value === 'object' && value !== null;

/** The Status of a refused request, which may be YAML. */
function statusOf({ status, headers, body }: Answer): TestValue {
  return status >= 400 && typeof body === 'string' && headers['content-type']?.includes('yaml') ? parse(body) : body;
}

/** An answer with other causes of its Status, if it has any, and perhaps another message. */
function withCauses(answer: Answer, change: (causes: TestValue[]) => TestValue[], message?: string): Answer {
  const body = statusOf(answer);
  const { causes: before } = body?.details ?? {};
  if (!Array.isArray(before)) return answer;
  const after = change(before);
  if (isDeepStrictEqual(after, before)) return answer;
  return { ...answer, body: { ...body, message: message ?? body.message, details: { ...body.details, causes: after } } };
}

const syntaxErrors = /compilation failed: ERROR: [\s\S]*Syntax error[\s\S]*/;

/** The parser's recovery after a mistake decides how many syntax errors there are, and what it expects. */
const withoutSyntaxErrors = (cause: TestValue): TestValue => ({
  ...cause,
  message: String(cause.message).replace(syntaxErrors, 'compilation failed: <syntax error>'),
});

/** Whether the causes are the same except for the order of characters in one message, as in a value that no type orders. */
function isPermuted(reference: Answer, own: Answer): boolean {
  const lists = [reference, own].map((answer) => statusOf(answer)?.details?.causes);
  if (reference.status !== own.status || !lists.every(Array.isArray) || lists[0].length !== lists[1].length) return false;
  const rests = [reference, own].map((answer) => {
    const { message: _message, details, ...rest } = statusOf(answer);
    const { causes: _causes, ...others } = details;
    return { headers: answer.headers, rest, others };
  });
  if (!isDeepStrictEqual(rests[0], rests[1])) return false;
  const isSame = (cause: TestValue, index: number): boolean => {
    const other = lists[1][index];
    const sorted = ({ message }: TestValue): string => [...String(message)].sort().join('');
    return cause.field === other.field && cause.reason === other.reason && sorted(cause) === sorted(other);
  };
  return lists[0].every(isSame);
}

/** Text that is the same as that of another member has been there before. */
const distinct = (causes: readonly TestValue[]): TestValue[] => [
  ...new Map(causes.map((cause) => [JSON.stringify(cause), cause])).values(),
];

function withoutDescriptions(value: TestValue): TestValue {
  if (isObject(value) && (value.openapi !== undefined || value.swagger !== undefined)) return withoutSuffixes(withoutProse(value));
  if (!isObject(value) || !Array.isArray(value.columnDefinitions)) return value;
  return { ...value, columnDefinitions: value.columnDefinitions.map(({ description: _, ...column }: TestValue) => column) };
}

/** A document whose shared parameters have their content as a name, in place of a suffix that is a hash of their description. */
function withoutSuffixes(document: TestValue): TestValue {
  const { parameters } = document;
  if (!isObject(parameters)) return document;
  const names = new Map(Object.entries(parameters).map(([name, parameter]) => [name, JSON.stringify(parameter)]));
  const renamed = (value: TestValue): TestValue => {
    if (Array.isArray(value)) return value.map(renamed);
    if (!isObject(value)) return value;
    const { $ref } = value;
    const name = typeof $ref === 'string' ? names.get($ref.replace('#/parameters/', '')) : undefined;
    if (name !== undefined) return { $ref: name };
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, renamed(member)]));
  };
  const shared = Object.entries(parameters).map(([name, parameter]) => [names.get(name), parameter]);
  return { ...renamed(document), parameters: Object.fromEntries(shared) };
}

/** The message of a Status, in any form. */
const textOf = (answer: Answer): string => {
  const body = statusOf(answer);
  return typeof body === 'string' ? body : String(body?.message);
};

/** A text in which numbers that are the same double have the same form. */
const withEqualNumbers = (text: string): string => text.replaceAll(/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (form) => String(Number(form)));

/** The end of a value that a message shows a part of. */
const cut = /\.\.\. \(\d+ (?:bytes|items|members)\)/;

/** Whether a message is another one in which values are cut. */
function isShortened(text: string, whole: string): boolean {
  let at = 0;
  const parts = text.split(cut);
  // a text ends with a quote, a list or an object without its end
  for (const part of parts.map((one, index) => (index < parts.length - 1 ? one.replace(/["\\]+$/, '') : one))) {
    const found = whole.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return parts.length > 1;
}

export const causes: readonly Cause[] = [
  {
    name: 'Descriptions that no package has',
    without: (answer) => ({
      ...answer,
      body: Array.isArray(answer.body)
        ? answer.body.map((event) => (isObject(event) ? { ...event, object: withoutDescriptions(event.object) } : event))
        : withoutDescriptions(answer.body),
    }),
  },
  {
    name: 'Values in messages are cut',
    explains: (reference, own) => reference.status === own.status && isShortened(textOf(own), textOf(reference)),
  },
  { name: 'Words of CEL syntax errors', without: (answer) => withCauses(answer, (list) => list.map(withoutSyntaxErrors), '<causes>') },
  { name: 'Members of untyped values', explains: (reference, own) => isPermuted(reference, own) },
  {
    name: "Go's zero time",
    explains: (reference, own) => reference.status === 422 && own.status < 300 && textOf(reference).includes('"deletionTimestamp":null'),
  },
  {
    name: 'Forms of numbers',
    explains: (reference, own) =>
      reference.status === own.status && reference.status >= 400 && withEqualNumbers(textOf(reference)) === withEqualNumbers(textOf(own)),
  },
  { name: 'kube-apiserver panics', explains: (reference) => reference.status === 0 },
  { name: 'Causes stand once', without: (answer) => withCauses(answer, distinct) },
];

/** The causes because of which the answers differ, in place of which nothing else differs; undefined if something does. */
export function causesOf(reference: Answer, own: Answer): string[] | undefined {
  let [a, b] = [reference, own];
  const names: string[] = [];
  for (const { name, without, explains } of causes) {
    if (explains?.(reference, own)) return [name];
    if (without === undefined) continue;
    const [c, d] = [without(a), without(b)];
    if (!isDeepStrictEqual(c, a) || !isDeepStrictEqual(d, b)) names.push(name);
    [a, b] = [c, d];
  }
  return isDeepStrictEqual(a, b) ? names : undefined;
}

/** What is left of an answer without what is known. */
export const withoutKnown = (answer: Answer): Answer => causes.reduce((left, { without }) => without?.(left) ?? left, answer);
