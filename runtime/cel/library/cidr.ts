import { quote } from '../../machinery/go/quote.ts';
import {
  isAddressError,
  isMapped,
  maskPrefix,
  type Prefix,
  parsePrefix,
  prefixContains,
  prefixText,
} from '../../machinery/scalars/netip.ts';
import { declare, global, type Library, member } from '../checker/declarations.ts';
import { boolType, intType, opaqueType, stringType } from '../types/type.ts';
import { CelError, isError, type Value } from '../values/value.ts';
import { IpValue, ipType, toIp } from './ip.ts';

export const cidrType = opaqueType('net.CIDR');

class CidrValue {
  readonly tag = 'opaque';
  readonly type = cidrType;
  readonly prefix: Prefix;

  constructor(prefix: Prefix) {
    this.prefix = prefix;
  }

  equals(other: Value): boolean | undefined {
    return other instanceof CidrValue ? prefixText(this.prefix) === prefixText(other.prefix) : undefined;
  }

  size(): number {
    return Math.ceil(this.prefix.length / 8);
  }
}

function read(text: string): Prefix | CelError {
  const parsing = 'network address parse error during conversion from string: ';
  try {
    const prefix = parsePrefix(text);
    if (!isMapped(prefix.address)) return prefix;
    return new CelError(`${parsing}IPv4-mapped IPv6 address ${quote(text)} is not allowed`);
  } catch (error) {
    if (!isAddressError(error)) throw error;
    return new CelError(`${parsing}${parsing}${error.message}`);
  }
}

function toCidr(text: Value): Value {
  const prefix = read(text as string);
  return prefix instanceof CelError ? prefix : new CidrValue(prefix);
}

const prefixOf = (value: Value): Prefix => (value as CidrValue).prefix;

function containsIp(cidr: Value, ip: Value): Value {
  return isError(ip) ? ip : prefixContains(prefixOf(cidr), (ip as IpValue).address);
}

function containsCidr(cidr: Value, other: Value): Value {
  if (isError(other)) return other;
  const outer = prefixOf(cidr);
  const inner = prefixOf(other);
  return outer.length <= inner.length && prefixContains(outer, inner.address);
}

/** CIDR networks. (apiserver pkg/cel/library/cidr.go) */
export const cidrLibrary: Library = {
  name: 'kubernetes.net.cidr',
  types: [cidrType],
  functions: [
    declare('cidr', [global('string_to_cidr', [stringType], cidrType, toCidr)]),
    declare('isCIDR', [global('is_cidr', [stringType], boolType, (text) => !(read(text as string) instanceof CelError))]),
    declare('containsIP', [
      member('cidr_contains_ip_string', [cidrType, stringType], boolType, (cidr, text) => containsIp(cidr, toIp(text))),
      member('cidr_contains_ip_ip', [cidrType, ipType], boolType, containsIp),
    ]),
    declare('containsCIDR', [
      member('cidr_contains_cidr_string', [cidrType, stringType], boolType, (cidr, text) => containsCidr(cidr, toCidr(text))),
      member('cidr_contains_cidr', [cidrType, cidrType], boolType, containsCidr),
    ]),
    declare('ip', [member('cidr_ip', [cidrType], ipType, (cidr) => new IpValue(prefixOf(cidr).address))]),
    declare('prefixLength', [member('cidr_prefix_length', [cidrType], intType, (cidr) => prefixOf(cidr).length)]),
    declare('masked', [member('cidr_masked', [cidrType], cidrType, (cidr) => new CidrValue(maskPrefix(prefixOf(cidr))))]),
    declare('string', [global('cidr_to_string', [cidrType], stringType, (cidr) => prefixText(prefixOf(cidr)))]),
  ],
};
