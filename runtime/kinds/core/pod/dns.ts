import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import { dnsSubdomain } from '../../../machinery/validation/name-formats.ts';
import { dnsSubdomainWithUnderscore } from '../../../structural/formats.ts';
import { validateFormat } from '../../validation/fields.ts';
import { validateIP } from '../../validation/ip.ts';

/** The names of a pod, and its name resolution. (pkg/apis/core/validation) */

/** (validatePodDNSConfig) */
export function validatePodDNSConfig({ dnsConfig, dnsPolicy }: Unvalidated<core.PodSpec>, field: Field): void {
  if (dnsPolicy === 'None') {
    if (!dnsConfig) {
      field.required('must provide `dnsConfig` when `dnsPolicy` is None');
      return;
    }
    if (!dnsConfig.nameservers?.length) {
      const detail = 'must provide at least one DNS nameserver when `dnsPolicy` is None';
      field.child('nameservers').required(detail);
      return;
    }
  }
  const { nameservers = [], searches = [], options = [] } = dnsConfig ?? {};
  if (nameservers.length > 3) {
    field.child('nameservers').invalid(nameservers, 'must not have more than 3 nameservers');
  }
  for (const [index, server] of nameservers.entries()) validateIP(server, field.child('nameservers').index(index));
  if (searches.length > 32) {
    field.child('searches').invalid(searches, 'must not have more than 32 search paths');
  }
  if (searches.join(' ').length > 2048) {
    const detail = 'must not have more than 2048 characters (including spaces) in the search list';
    field.child('searches').invalid(searches, detail);
  }
  for (const [index, search] of searches.entries()) {
    if (search === '.') continue;
    validateFormat(search.replace(/\.$/, ''), dnsSubdomainWithUnderscore, field.child('searches').index(index));
  }
  for (const [index, option] of options.entries()) {
    if (!option.name) field.child('options').index(index).required('must not be empty');
  }
}

/** (ValidateHostAliases) */
export function validateHostAliases(aliases: readonly Unvalidated<core.HostAlias>[], field: Field): void {
  for (const [index, { ip = '', hostnames = [] }] of aliases.entries()) {
    const at = field.index(index);
    validateIP(ip, at.child('ip'));
    for (const [hostIndex, hostname] of hostnames.entries()) {
      validateFormat(hostname, dnsSubdomain, at.child('hostnames').index(hostIndex));
    }
  }
}

const maxHostnameLength = 64;

/** (validatePodHostName) */
export function validatePodHostName(spec: Unvalidated<core.PodSpec>, field: Field): void {
  const { hostnameOverride, setHostnameAsFQDN, hostNetwork } = spec;
  if (hostnameOverride === undefined) return;
  const at = field.child('hostnameOverride');
  if (setHostnameAsFQDN) at.forbidden('may not be specified when setHostnameAsFQDN is true');
  if (hostNetwork) at.forbidden('may not be specified when hostNetwork is true');
  if (Buffer.byteLength(hostnameOverride) > maxHostnameLength) at.tooLong(hostnameOverride, maxHostnameLength);
  validateFormat(hostnameOverride, dnsSubdomain, at);
}
