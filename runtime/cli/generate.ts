/** `kubeloom generate`: types, codecs, validators and a client from a folder of schemas. */
export async function generate(args: readonly string[]): Promise<void> {
  const { generateCommand } = await import('../../codegen/commands/generate.ts');
  process.exitCode = await generateCommand(args, async (files) => (await import('./crd-server.ts')).serveCrds(files));
}

/** `kubeloom import`: a folder of schemas from upstream's documents. */
export async function importSchemas(args: readonly string[]): Promise<void> {
  const { importCommand } = await import('../../codegen/commands/import.ts');
  process.exitCode = await importCommand(args);
}
