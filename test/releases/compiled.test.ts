import { expect, test } from '@jest/globals';
import { compile, temporaryFolder } from '../support/generated-project.ts';
import { generateReleases, releaseFolder, releases } from '../support/releases.ts';

test('the code of every release compiles, strictly and in one program', async () => {
  await generateReleases();
  expect(releases).toEqual(['v1.32', 'v1.33', 'v1.34', 'v1.35', 'v1.36']);
  const folder = await temporaryFolder('releases');
  try {
    expect(
      await compile(
        folder.path,
        releases.map((release) => `${releaseFolder(release)}/**/*.ts`),
      ),
    ).toBe('');
  } finally {
    await folder.remove();
  }
});
