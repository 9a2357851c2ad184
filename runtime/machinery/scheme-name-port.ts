/** What the name in the path of a proxy says. */
export interface SchemeNamePort {
  /** "" if it is not given. */
  readonly scheme: 'http' | 'https' | '';
  readonly name: string;
  /** A number or a name; "" if it is not given. */
  readonly port: string;
}

const isScheme = (text: string): text is SchemeNamePort['scheme'] => text === '' || text === 'http' || text === 'https';

/** Splits `name`, `name:port` or `scheme:name:port`. Returns undefined for all else. (utilnet.SplitSchemeNamePort) */
export function splitSchemeNamePort(id: string): SchemeNamePort | undefined {
  const parts = id.split(':');
  if (parts.length > 3) return undefined;
  const [scheme = '', name = '', port = ''] = parts.length === 3 ? parts : ['', ...parts];
  return name !== '' && isScheme(scheme) ? { scheme, name, port } : undefined;
}
