import { maxUint64 } from '../../machinery/scalars/integers.ts';
import { authorizerTypeNames } from '../library/authorizer.ts';
import { cidrType } from '../library/cidr.ts';
import { formatType } from '../library/format.ts';
import { ipType } from '../library/ip.ts';
import { quantityType } from '../library/quantity.ts';
import { semverType } from '../library/semver.ts';
import { urlType } from '../library/urls.ts';
import { sameType } from '../types/type.ts';
import type { AstNode, CallEstimate, CallSite } from './call-estimate.ts';
import type { Estimate } from './estimates.ts';
import {
  fixed,
  listBaseCost,
  noCost,
  oneCost,
  plus,
  regexLengthFactor,
  scaled,
  stringTraversalFactor,
  structBaseCost,
  times,
  union,
} from './estimates.ts';

const maxFormatSize = 64n;
const maxNameFormatRegexSize = 128;
/** The size of IPv4 and IPv6 addresses in bytes. */
const addressSize: Estimate = { min: 4n, max: 16n };
/** The cost of an authorization check. Two checks fit into the cost limit of an expression. */
export const authorizationCheckCost = 350_000;

type EstimateRule = (call: CallSite) => CallEstimate | undefined;

const nominal: EstimateRule = () => ({ cost: oneCost });
const traversal = (call: CallSite, node: AstNode | undefined): Estimate => scaled(call.size(node), stringTraversalFactor);

/** Functions that parse the string in their first argument. */
const reads: EstimateRule = (call) => (call.args.length >= 1 ? { cost: traversal(call, call.args[0]) } : undefined);

/** Functions that traverse the target and return a string that is not longer. */
const transforms: EstimateRule = (call) => call.target && { cost: traversal(call, call.target), size: call.size(call.target) };

function element({ target }: CallSite): AstNode | undefined {
  const type = target?.type.params[0];
  if (!target || !type) return undefined;
  const path = target.path.length === 0 ? [] : [...target.path, '@items'];
  return { type, path, known: undefined };
}

/** Functions that visit every element of a list or a whole string. */
const visits: EstimateRule = (call) => {
  if (!call.target) return undefined;
  const item = element(call);
  if (!item) return { cost: traversal(call, call.target) };
  let each = oneCost;
  if (item.type.kind === 'string' || item.type.kind === 'bytes') each = plus(each, traversal(call, item));
  return { cost: times(call.size(call.target), each) };
};

const replace: EstimateRule = (call) => {
  if (!call.target || call.args.length < 2) return undefined;
  const text = call.size(call.target);
  const part = call.size(call.args[0]);
  const by = call.size(call.args[1]);
  const divideUp = (a: bigint, b: bigint): bigint => BigInt(Math.ceil(Number(a) / Number(b)));
  const increment = (value: bigint): bigint => (value < maxUint64 ? value + 1n : value);
  let count = { min: 0n, max: 0n };
  let unchanged = { min: 0n, max: 0n };
  if (part.min === 0n) {
    count = { ...count, max: increment(text.max) };
    unchanged = { ...unchanged, max: text.max };
  } else if (by.max <= part.min) unchanged = { ...unchanged, max: text.max };
  else count = { ...count, max: divideUp(text.max, part.min) };
  if (part.max === 0n) {
    count = { ...count, min: increment(text.min) };
    unchanged = { ...unchanged, min: text.min };
  } else if (part.max <= by.min) unchanged = { ...unchanged, min: text.min };
  else count = { ...count, min: divideUp(text.min, part.max) };
  return { cost: scaled(text, 2 * stringTraversalFactor), size: plus(times(count, by), unchanged) };
};

const split: EstimateRule = (call) => {
  if (!call.target) return undefined;
  const text = call.size(call.target);
  const limit = call.args[1]?.expr;
  let max = text.max;
  if (limit?.kind === 'literal' && (typeof limit.value === 'number' || typeof limit.value === 'bigint')) {
    max = BigInt.asUintN(64, BigInt(limit.value));
  }
  return { cost: scaled(text, 2 * stringTraversalFactor), size: { min: 0n, max } };
};

const join: EstimateRule = (call) => {
  if (!call.target) return undefined;
  const count = call.size(call.target);
  const item = element(call);
  let size = item ? times(count, call.size(item)) : noCost;
  if (call.args.length > 0) {
    const less = (value: bigint): bigint => (value > 0n ? value - 1n : 0n);
    size = plus(size, times(call.size(call.args[0]), { min: less(count.min), max: less(count.max) }));
  }
  return { cost: scaled(size, stringTraversalFactor), size };
};

const find: EstimateRule = (call) => {
  if (!call.target || call.args.length < 1) return undefined;
  const text = call.size(call.target);
  const walk = scaled(plus(text, oneCost), stringTraversalFactor);
  const pattern = scaled(call.size(call.args[0]), regexLengthFactor);
  return { cost: times(walk, pattern), size: { min: 0n, max: text.max } };
};

const validate: EstimateRule = (call) => {
  if (call.args.length < 1) return undefined;
  return { cost: scaled(traversal(call, call.args[0]), maxNameFormatRegexSize * regexLengthFactor) };
};

function contains(extra: Estimate, textOverload: string): EstimateRule {
  return (call) => {
    if (call.args.length < 1) return undefined;
    let cost = plus(scaled(plus(addressSize, addressSize), stringTraversalFactor), extra);
    if (call.overload === textOverload) cost = plus(cost, traversal(call, call.args[0]));
    return { cost };
  };
}

const selector: EstimateRule = (call) => {
  if (call.args.length !== 1) return undefined;
  const size = call.size(call.args[0]);
  const requirements = scaled(scaled(size, 0.5), Number(listBaseCost + structBaseCost));
  return { cost: plus(plus(fixed(listBaseCost), scaled(size, stringTraversalFactor)), requirements) };
};

/** Comparisons of values of library types, which have their own cost. */
const equals: EstimateRule = ({ args }) => {
  const [left, right] = args;
  if (!left || !right || args.length !== 2 || !sameType(left.type, right.type)) return undefined;
  const { name } = left.type;
  if (left.type.kind !== 'opaque' && left.type.kind !== 'struct') return undefined;
  if ([ipType, cidrType, quantityType, semverType].some((type) => type.name === name)) return { cost: oneCost };
  if (authorizerTypeNames.has(name)) return { cost: oneCost };
  if (name === formatType.name) return { cost: scaled({ min: 1n, max: maxFormatSize }, stringTraversalFactor) };
  if (name !== urlType.name) return undefined;
  const size = right.known ? union(right.known, right.known) : oneCost;
  return { cost: scaled({ min: 1n, max: size.max }, stringTraversalFactor) };
};

const rules: ReadonlyMap<string, EstimateRule> = new Map<string, EstimateRule>([
  ['check', () => ({ cost: fixed(BigInt(authorizationCheckCost)) })],
  ...each('serviceAccount path group resource subresource namespace name allowed reason error errored', nominal),
  ...each('fieldSelector labelSelector', selector),
  ...each('isSorted sum max min indexOf lastIndexOf', visits),
  ...each('url jsonpatch.escapeKey', (call) =>
    call.args.length === 1 ? { cost: traversal(call, call.args[0]), size: call.size(call.args[0]) } : undefined,
  ),
  ...each('lowerAscii upperAscii substring trim', transforms),
  ['replace', replace],
  ['split', split],
  ['join', join],
  ...each('find findAll', find),
  ...each('cidr isIP isCIDR quantity isQuantity semver isSemver', reads),
  ['ip', (call) => (call.overload === 'cidr_ip' ? { cost: oneCost } : reads(call))],
  ['ip.isCanonical', (call) => ({ cost: scaled(call.size(call.args[0]), 2 * stringTraversalFactor) })],
  ['containsIP', contains(noCost, 'cidr_contains_ip_string')],
  ['containsCIDR', contains(plus(scaled(addressSize, stringTraversalFactor), oneCost), 'cidr_contains_cidr_string')],
  ['validate', validate],
  ...each('masked prefixLength family isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast', nominal),
  ...each('isGlobalUnicast format.named sign asInteger isInteger asApproximateFloat isGreaterThan isLessThan', nominal),
  ...each('compareTo add sub major minor patch getScheme getHostname getHost getPort getEscapedPath getQuery', nominal),
  ['_==_', equals],
]);

function each(names: string, rule: EstimateRule): [string, EstimateRule][] {
  return names.split(' ').map((name) => [name, rule]);
}

/** Estimates calls of library functions; returns undefined for others. (apiserver pkg/cel/library/cost.go) */
export function estimateLibraryCall(call: CallSite): CallEstimate | undefined {
  return rules.get(call.name)?.(call);
}
