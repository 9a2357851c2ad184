import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from '@jest/globals';
import { missingBrowser, PageBrowser } from '../support/page-browser.ts';
import { describeUnless } from '../support/skipping.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}

const serious = ['serious', 'critical'];

describeUnless(missingBrowser)('the page for everybody', () => {
  const suite = PageBrowser.forSuite({ testControls: true, history: 'all' });

  const views = [
    '#/resources/-/namespaces',
    '#/object/-/namespaces/-/default',
    '#/object/-/namespaces/-/default?tab=revisions',
    '#/object/-/namespaces/-/default?tab=graph',
    '#/timeline',
    '#/time',
    '#/traffic',
    '#/health',
  ];
  const cases = views.flatMap((view) => ['light', 'dark'].map((theme) => [view, theme] as const));
  test.each(cases)('%s has no serious finding of axe in %s', async (view, theme) => {
    await suite.page.evaluate(`localStorage.setItem('kubeloom-theme', '${theme}')`);
    await suite.page.reload();
    await suite.go(view);
    await suite.page.locator('main h1').waitFor();
    // the page's policy lets no script of others in
    await suite.page.evaluate(axe);
    const violations = (await suite.page.evaluate('axe.run().then((found) => found.violations)')) as Violation[];
    const found = violations.filter(({ impact }) => serious.includes(impact)).map(({ id, nodes }) => [id, nodes[0]?.html]);
    expect(found).toEqual([]);
  });
});
