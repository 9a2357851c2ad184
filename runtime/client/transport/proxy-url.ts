import type { GoURL } from '../../machinery/go/url.ts';
import { splitURLHost } from '../../machinery/go/url-host.ts';

/** Milliseconds that a proxy has to make a connection. (net/http: a minute) */
export const connectTimeout = 60_000;

/** (net/http portMap) */
const defaultPorts: Readonly<Record<string, number>> = { http: 80, https: 443, socks5: 1080, socks5h: 1080 };

/** Where a proxy listens. */
export function proxyAddress({ scheme, host }: GoURL): { readonly host: string; readonly port: number } {
  const { name, port } = splitURLHost(host);
  return { host: name, port: Number(port || (defaultPorts[scheme] ?? 0)) };
}

/** What a proxy is shown of who asks; undefined if its URL names nobody. */
export function proxyCredentials({ userinfo }: GoURL): { readonly name: string; readonly password: string } | undefined {
  if (userinfo === undefined) return undefined;
  const [, name = '', password = ''] = /^([^:]*)(?::(.*))?$/s.exec(userinfo) as RegExpExecArray;
  return { name: decodeURIComponent(name), password: decodeURIComponent(password) };
}
