import type { GoURL } from '../../machinery/go/url.ts';
import { splitURLHost } from '../../machinery/go/url-host.ts';

/** The timeout of a proxy's connection, in milliseconds. (net/http: a minute) */
export const connectTimeout = 60_000;

/** (net/http portMap) */
const defaultPorts: Readonly<Record<string, number>> = { http: 80, https: 443, socks5: 1080, socks5h: 1080 };

/** Returns the address of a proxy. */
export function proxyAddress({ scheme, host }: GoURL): { readonly host: string; readonly port: number } {
  const { name, port } = splitURLHost(host);
  return { host: name, port: Number(port || (defaultPorts[scheme] ?? 0)) };
}

/** Returns the credentials for a proxy; undefined for a URL without a user. */
export function proxyCredentials({ userinfo }: GoURL): { readonly name: string; readonly password: string } | undefined {
  if (userinfo === undefined) return undefined;
  const [, name = '', password = ''] = /^([^:]*)(?::(.*))?$/s.exec(userinfo) as RegExpExecArray;
  return { name: decodeURIComponent(name), password: decodeURIComponent(password) };
}
