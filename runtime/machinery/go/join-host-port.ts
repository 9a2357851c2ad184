/** Returns `host:port`, with brackets around an IPv6 address. (net.JoinHostPort) */
export const joinHostPort = (host: string, port: number): string => (host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`);
