/** What this program is, on one line. */
export async function printVersion(): Promise<void> {
  const { packageVersion } = await import('../server/version.ts');
  process.stdout.write(`kubeloom ${packageVersion()}\n`);
}
