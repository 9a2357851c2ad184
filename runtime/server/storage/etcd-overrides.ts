import { OptionError } from '../../options/server-options.ts';

/** A resource whose objects another etcd stores. (EtcdServerOverride) */
export interface EtcdServersOverride {
  readonly group: string;
  readonly resource: string;
  readonly servers: readonly string[];
}

/**
 * Parses `group/resource#servers`, with URLs of servers separated by semicolons. The core group is "".
 *
 * @throws OptionError
 */
export function parseEtcdServersOverrides(texts: readonly string[]): readonly EtcdServersOverride[] {
  return texts.map((text) => {
    const [groupResource = '', list, ...others] = text.split('#');
    const [group = '', resource, ...rest] = groupResource.split('/');
    const servers = list?.split(';') ?? [''];
    if (resource === undefined || others.length > 0 || rest.length > 0 || servers.includes('')) {
      throw new OptionError(
        '--etcd-servers-overrides invalid, must be of format: group/resource#servers, where servers are URLs, semicolon separated',
      );
    }
    return { group, resource, servers };
  });
}
