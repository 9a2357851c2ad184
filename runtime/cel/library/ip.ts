import { quote } from '../../machinery/go/quote.ts';
import {
  type Address,
  addressText,
  bitLength,
  isAddressError,
  isGlobalUnicast,
  isLinkLocalMulticast,
  isLinkLocalUnicast,
  isLoopback,
  isMapped,
  isUnspecified,
  parseAddress,
} from '../../machinery/scalars/netip.ts';
import { declare, type FunctionDecl, global, type Library, member } from '../checker/declarations.ts';
import { boolType, intType, opaqueType, stringType } from '../types/type.ts';
import { CelError, type Value } from '../values/value.ts';

export const ipType = opaqueType('net.IP');

export class IpValue {
  readonly tag = 'opaque';
  readonly type = ipType;
  readonly address: Address;

  constructor(address: Address) {
    this.address = address;
  }

  equals(other: Value): boolean | undefined {
    if (!(other instanceof IpValue)) return undefined;
    return this.address.version === other.address.version && this.address.bits === other.address.bits;
  }

  size(): number {
    return bitLength(this.address) / 8;
  }
}

/** Parses an address without a zone. IPv4-mapped IPv6 addresses are not allowed. */
function parseIp(text: string): Address | CelError {
  let address: Address;
  try {
    address = parseAddress(text);
  } catch (error) {
    if (!isAddressError(error)) throw error;
    return new CelError(`IP Address ${quote(text)} parse error during conversion from string: ${error.message}`);
  }
  if (address.zone !== '') return new CelError(`IP address ${quote(text)} with zone value is not allowed`);
  if (isMapped(address)) return new CelError(`IPv4-mapped IPv6 address ${quote(text)} is not allowed`);
  return address;
}

export function toIp(text: Value): Value {
  const address = parseIp(text as string);
  return address instanceof CelError ? address : new IpValue(address);
}

function is(name: string, id: string, test: (address: Address) => boolean): FunctionDecl {
  return declare(name, [member(id, [ipType], boolType, (value) => test((value as IpValue).address))]);
}

/** IP addresses. (apiserver pkg/cel/library/ip.go) */
export const ipLibrary: Library = {
  name: 'kubernetes.net.ip',
  types: [ipType],
  functions: [
    declare('ip', [global('string_to_ip', [stringType], ipType, toIp)]),
    declare('isIP', [global('is_ip', [stringType], boolType, (text) => !(parseIp(text as string) instanceof CelError))]),
    declare('ip.isCanonical', [
      global('ip_is_canonical', [stringType], boolType, (text) => {
        const address = parseIp(text as string);
        return address instanceof CelError ? address : addressText(address) === text;
      }),
    ]),
    declare('family', [member('ip_family', [ipType], intType, (value) => (value as IpValue).address.version)]),
    declare('string', [global('ip_to_string', [ipType], stringType, (value) => addressText((value as IpValue).address))]),
    is('isUnspecified', 'ip_is_unspecified', isUnspecified),
    is('isLoopback', 'ip_is_loopback', isLoopback),
    is('isLinkLocalMulticast', 'ip_is_link_local_multicast', isLinkLocalMulticast),
    is('isLinkLocalUnicast', 'ip_is_link_local_unicast', isLinkLocalUnicast),
    is('isGlobalUnicast', 'ip_is_global_unicast', isGlobalUnicast),
  ],
};
