import { hasStatusCode } from '../machinery/errors/status.ts';
import { describeFlags, type Flag, parseFlags } from '../machinery/options/flags.ts';
import { clientOptionsOf, kubeconfigFlags } from './kubeconfig-flags.ts';

const flags: readonly Flag[] = [
  { name: 'open', type: 'boolean', default: 'false', about: 'Open the link in the browser of this machine.' },
  ...kubeconfigFlags,
];

const uiHelp = `Print a link that opens the page of a server once, within five minutes, in the name of the kubeconfig's user.

Usage:
  kubeloom ui [flags]

The server must run with --ui. Users other than administrators need the verb post on the path /ui/links.

Flags:
${describeFlags(flags)}`;

export async function ui(args: readonly string[]): Promise<void> {
  const parsed = parseFlags(args, flags);
  if (parsed.help) {
    process.stdout.write(uiHelp);
    return;
  }
  const { RestClient } = await import('../client/rest-client.ts');
  const options = await clientOptionsOf(parsed);
  const client = new RestClient({ userAgent: 'kubeloom-ui', ...options });
  try {
    const { path } = await client.request<{ readonly path: string }>({ method: 'POST', path: '/ui/links' });
    // the text goes to another program
    if (!/^\/ui\/login\?link=[\w-]+$/.test(path)) throw new Error(`${options.server} answered with no link`);
    const link = new URL(path, options.server).href;
    process.stdout.write(`${link}\n`);
    if (parsed.boolean('open')) await openInBrowser(link);
  } catch (error) {
    throw hasStatusCode(error, 404) ? new Error(`${options.server} has no page: start it with --ui`) : error;
  } finally {
    client.close();
  }
}

const openers: Readonly<Record<string, readonly string[]>> = { darwin: ['open'], win32: ['cmd', '/c', 'start', ''] };

/** @throws Error if the machine has no program for it */
async function openInBrowser(link: string): Promise<void> {
  const { spawn } = await import('node:child_process');
  const [program = 'xdg-open', ...args] = openers[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, link], { stdio: 'ignore', detached: true });
  await new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', () => reject(new Error(`${program} is not installed: open the link yourself`)));
  });
  child.unref();
}
