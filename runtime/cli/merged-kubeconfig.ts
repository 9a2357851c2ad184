import { open, readFile, rm } from 'node:fs/promises';
import { type Document, isMap, isSeq, parse, parseDocument } from 'yaml';
import { messageOf } from '../machinery/errors/message-of.ts';
import { writeKubeconfig } from '../serving/kubeconfig.ts';

/** The name of the context, of its cluster and of its user in a shared kubeconfig. */
const contextName = 'kubeloom';

type Lists = 'clusters' | 'users' | 'contexts';

/**
 * Adds the context `kubeloom`, with its cluster and user, to a kubeconfig, or replaces it, and makes it current. The
 * other contexts, and comments, stay. Writes a new file if there is none.
 *
 * A lock file keeps kubectl from writing at the same time. (clientcmd: lockFile)
 *
 * @param text the kubeconfig of one server
 * @throws Error that names the file, if it is locked or no kubeconfig
 */
export async function mergeKubeconfig(path: string, text: string): Promise<void> {
  const lock = await lockFile(`${path}.lock`, path);
  try {
    await writeKubeconfig(path, mergedKubeconfig(await existingText(path), text, path));
  } finally {
    await lock();
  }
}

/** Returns the text of a kubeconfig with the context `kubeloom` of another one. */
export function mergedKubeconfig(existing: string, added: string, path: string): string {
  const document = kubeconfigDocument(existing, path);
  const { clusters, users } = parse(added) as { clusters: { cluster: unknown }[]; users: { user: unknown }[] };
  setEntry(document, 'clusters', { name: contextName, cluster: clusters[0]?.cluster });
  setEntry(document, 'users', { name: contextName, user: users[0]?.user });
  setEntry(document, 'contexts', { name: contextName, context: { cluster: contextName, user: contextName } });
  document.set('current-context', contextName);
  return document.toString({ lineWidth: 0 });
}

/** Parses a kubeconfig; an empty text is a new one. @throws Error that names the file */
function kubeconfigDocument(text: string, path: string): Document {
  const document = parseDocument(text.trim() === '' ? 'apiVersion: v1\nkind: Config\n' : text);
  const [error] = document.errors;
  if (error !== undefined) throw new Error(`${path}: ${error.message.split('\n', 1)[0]}`);
  if (!isMap(document.contents) || (document.get('kind') ?? 'Config') !== 'Config') throw new Error(`${path} is not a kubeconfig`);
  return document;
}

/** Replaces the entry of the same name, or adds it. */
function setEntry(document: Document, list: Lists, entry: Readonly<Record<string, unknown>>): void {
  const entries = document.get(list);
  if (!isSeq(entries)) {
    document.set(list, document.createNode([entry]));
    return;
  }
  // a kubeconfig written by kubectl without contexts has `contexts: []`
  entries.flow = false;
  const at = entries.items.findIndex((item) => isMap(item) && item.get('name') === entry.name);
  if (at < 0) entries.items.push(document.createNode(entry));
  else entries.items[at] = document.createNode(entry);
}

async function existingText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/** Creates the lock file. Returns a function that removes it. */
async function lockFile(lock: string, path: string): Promise<() => Promise<void>> {
  try {
    await (await open(lock, 'wx')).close();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new Error(`${path} is locked by another program: wait for it, or remove ${lock}`);
    if (code === 'ENOENT') return async () => {};
    throw new Error(`cannot lock ${path}: ${messageOf(error)}`, { cause: error });
  }
  return () => rm(lock, { force: true });
}
